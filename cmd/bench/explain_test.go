package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/station/native"
)

// The glossary explains each exit code of the program, and no other.
func TestExitCodesAreExplained(t *testing.T) {
	g := cli.NewBook(failure.Glossary)[0]
	codes, words := []string{"0"}, []string{}
	for kind := failure.Bench; kind <= failure.ReaderGone; kind++ {
		codes = append(codes, strconv.Itoa(failure.ExitCode(failure.AlreadyPrinted(kind))))
	}
	for _, e := range g.Entries {
		words = append(words, e.Words[0])
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	slices.Sort(words)
	if len(codes) < 8 || !slices.Equal(codes, words) {
		t.Errorf("exit codes %q, explained %q", codes, words)
	}
}

// printed matches a verdict or a conclusion at the beginning of a printed line.
var printed = regexp.MustCompile("\"(?:\\\\n)*([A-Z]{3,})  ")

// Each word in capitals that begins a printed line is explained, as a verdict or in its own entry.
func TestPrintedCapitalsAreExplained(t *testing.T) {
	found := map[string]bool{}
	for _, folder := range []string{"cause", "cmd", "driver", "runs", "station", "sweep"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range printed.FindAllSubmatch(text, -1) {
				found[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for word := range found {
		if _, err := benchWords().Find(word); err != nil {
			t.Error(err)
		}
	}
	if len(found) < 5 {
		t.Errorf("only %d words were found", len(found))
	}
}

// Each kind of transport is explained.
func TestKindsAreExplained(t *testing.T) {
	for _, kind := range append(native.KindNames(), "auto") {
		if _, err := benchWords().Find(kind); err != nil {
			t.Error(err)
		}
	}
}

// Each term has a valid example: an existing command with existing flags and vectors. The output of an example for a
// flag of the chip shows that flag.
func TestExamplesOfWords(t *testing.T) {
	for _, g := range wordBook(usualTile) {
		for _, e := range g.Entries {
			if len(e.Examples) == 0 || e.Text == "" {
				t.Errorf("%s has no example, or no text", e.Words[0])
			}
			for _, line := range e.Examples {
				checkExample(t, e.Words[0], line)
			}
		}
	}
}

func checkExample(t *testing.T, word, line string) {
	_, line, ok := strings.Cut(" "+line, " bench ")
	line, _, _ = strings.Cut(line, ";")
	line, _, _ = strings.Cut(line, " &&")
	line, _, _ = strings.Cut(line, " |")
	args := strings.Fields(strings.ReplaceAll(line, "'", ""))
	cmd, rest, err := newRoot(usualDesign(files.ProcessEnv())).Find(args)
	if err == nil && ok {
		err = cmd.ParseFlags(rest)
	}
	if err != nil || !ok || !cmd.Runnable() {
		t.Errorf("%s: bench %s: %v", word, line, err)
		return
	}
	if cmd.CommandPath() != "bench vectors show" {
		return
	}
	code, said := bench(t, args...)
	flag := strings.ToUpper(word) == word && !strings.Contains("ROUT ERRS CHK CBE READ CIO UIO BIO", word)
	if code != exitPass || flag && !strings.Contains(said, word) {
		t.Errorf("%s: bench %s does not show it: exit code %d, %s", word, line, code, said)
	}
}
