package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/station/native"
)

// FuzzFlags checks that bench run with a short command line has a documented exit code and a one-sentence input error.
func FuzzFlags(f *testing.F) {
	for _, line := range []string{"--suite chip", "--run ^chip/bmp/0000007E/utf8-be",
		"--fault uo3=stuck1 --seed 1", "-t mock:tt08", "--timeout -1s",
		"--revision tt09 --board mock", "--settle 1s", "-t nothing", "--fault fmax=1MHz -j 3"} {
		f.Add(line)
	}
	codes := map[int]bool{exitPass: true, exitFail: true, exitUsage: true, exitBench: true, exitWiring: true,
		exitNothing: true, exitFlaky: true, exitWeak: true}
	vectors := filepath.Join(f.TempDir(), "own.vec")
	if err := os.WriteFile(vectors, []byte("suite own\ndocument a.md\nsection \"s\"\nvector one \"r\"\n  write utf8 "+
		"41\n  status READY\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Fields(line)
		for i, arg := range args {
			if reaches(arg) || i > 6 {
				return
			}
		}
		var said strings.Builder
		code := run(context.Background(), append([]string{"run", "--no-history", "--no-wiring", "--file", vectors},
			args...), io.Discard, &said)
		if !codes[code] || code == exitUsage && strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%q: exit code %d, %q", args, code, said.String())
		}
	})
}

// reaches reports whether an argument may refer to something outside the process, on a developer's machine.
func reaches(arg string) bool {
	for _, word := range append(native.OutputNames(), "vcd", "db", "count", "file", "resume", "gpio", "rp2040",
		"verilog", "replay", "help", "-h") {
		if strings.Contains(arg, word) {
			return true
		}
	}
	return strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && arg != "-t" && arg != "-v" && arg != "-j"
}
