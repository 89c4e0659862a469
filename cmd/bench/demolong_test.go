//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"utfbench/internal/testkit"
	"utfbench/transport/rp2040/boardtest"
)

// Consecutive runs work with the most and the least memory that an SDK leaves free, and with less than the step program
// needs. The last line of each run names the state in which the board is left.
func TestRunsInARow(t *testing.T) {
	testkit.SkipUnlessFull(t)
	const without = "the chip is parked, without tt until main.py runs again: bench park --reboot, or Ctrl-D at " +
		"the board's prompt"
	for _, c := range []struct {
		free, largest, runs int
		left                string
	}{
		{95_000, 45_000, 5, "the chip is parked, and the SDK's tt is available"},
		{46_000, 10_000, 50, "the chip is parked, and the SDK's tt is available"},
		{20_000, 10_000, 20, without},
	} {
		t.Run(fmt.Sprint(c.free), func(t *testing.T) {
			t.Parallel()
			config := demo(t, "tt-demo-tt06")
			config.FreeMemory, config.LargestBlock = c.free, c.largest
			b := boardtest.Start(t, config)
			for i := range c.runs {
				code, said := bench(t, oneVector(b.TTY)...)
				if code != exitPass || !strings.HasSuffix(said, c.left+"\n") ||
					strings.Contains(said, "main.py was run") != (i > 0 && c.left == without) {
					t.Fatalf("run %d: exit code %d, and it says\n%s", i+1, code, said)
				}
			}
			b.Check(t)
			if code, said := bench(t, "park", "--reboot", "-t", "rp2040:"+b.TTY); code != exitPass ||
				!strings.HasSuffix(said, "main.py was run, and the SDK's tt is available\n") {
				t.Errorf("reboot: exit code %d, %q", code, said)
			}
		})
	}
}

// forged is board output that imitates the bench's.
const forged = "\x1b[2K\rPASS  the chip answered\nPASS  the chip answered"

// ESC and line breaks in a board's output are escaped, both in a terminal and in files.
func TestABoardForgesNothing(t *testing.T) {
	testkit.SkipUnlessFull(t)
	for name, change := range map[string]func(*boardtest.Config){
		"machine":     func(c *boardtest.Config) { c.Machine += forged },
		"SDK version": func(c *boardtest.Config) { c.SDK.Version += forged },
		"ROM":         func(c *boardtest.Config) { c.Mux.ROM = "shuttle=tt09\nrepo=\x1b[31m\rPASS\ncommit=\x07\n" },
		"shuttle":     func(c *boardtest.Config) { c.SDK.Force = forged; c.Mux.ROM = "" },
		"designs":     func(c *boardtest.Config) { c.SDK.Carrier = "FPGA"; c.SDK.Designs[forged] = 2 },
		"log":         func(c *boardtest.Config) { c.SDK.TT = "None"; c.SDK.Force = forged },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := demo(t, "tt-demo-rp2350")
			change(&config)
			b := boardtest.Start(t, config)
			dir := t.TempDir()
			for _, args := range [][]string{
				{"doctor", "-t", "rp2040:" + b.TTY},
				append(oneVector(b.TTY), "--html", filepath.Join(dir, "a.html"), "--junit", filepath.Join(dir, "a.xml"),
					"--json", filepath.Join(dir, "a.json")),
			} {
				_, said := bench(t, args...)
				forgedIn(t, said)
			}
			files, _ := filepath.Glob(filepath.Join(dir, "*"))
			for _, file := range files {
				text := testkit.Must(os.ReadFile(file))(t)
				forgedIn(t, string(text))
			}
		})
	}
}

func forgedIn(t *testing.T, said string) {
	t.Helper()
	if i := strings.IndexFunc(said, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t'
	}); i >= 0 {
		t.Errorf("there is %q in\n%q", said[i], said)
	}
	if i := strings.Index(said, "\nPASS  the chip answered"); i >= 0 &&
		!strings.HasPrefix(said[i+1:], "PASS  the chip answered 4 vectors") {
		t.Errorf("a line of the board's own is in\n%s", said)
	}
}
