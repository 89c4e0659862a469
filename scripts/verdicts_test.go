package scripts

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"utfbench/internal/testkit"
)

var (
	verdictBench  = flag.String("verdicts-bench", "", "run the lines of TestVerdicts with this program")
	verdictRecord = flag.String("verdicts-record", "", "write what the lines of TestVerdicts answer to this file")
)

const verdictTable = "testdata/verdicts.txt"

// A verdictRow holds a command line, or several separated by ; that share a history, and the expected answer.
type verdictRow struct {
	line         int
	answer, args string
}

// TestVerdicts checks the exit codes, verdicts and suspects of some 200 command lines over targets, tiles, faults and
// netlists. They may change only on purpose. -verdicts-record FILE regenerates the table.
func TestVerdicts(t *testing.T) {
	rows, comments := readVerdicts(t)
	picked := rows
	if !testkit.Full() && *verdictRecord == "" {
		picked = nil
		for i := 0; i < len(rows); i += 30 {
			picked = append(picked, rows[i])
		}
	}
	bench := *verdictBench
	if bench == "" {
		bench = buildBench(t)
	}
	answers := make([]string, len(rows)+1)
	t.Run("rows", func(t *testing.T) {
		for _, row := range picked {
			t.Run(fmt.Sprint(row.line), func(t *testing.T) {
				t.Parallel()
				answers[row.line] = answerOf(t, bench, row.args)
				if *verdictRecord == "" && answers[row.line] != row.answer {
					t.Errorf("%s:%d: bench %s\n got %s\nwant %s", verdictTable, row.line, row.args,
						answers[row.line], row.answer)
				}
			})
		}
	})
	if *verdictRecord != "" {
		recordVerdicts(t, rows, comments, answers)
	}
}

// readVerdicts reads the table: comments, and rows with an answer and a command line, separated by a |.
func readVerdicts(t *testing.T) (rows []verdictRow, comments string) {
	data := testkit.Must(os.ReadFile(verdictTable))(t)
	for text := range strings.Lines(string(data)) {
		if strings.HasPrefix(text, "#") {
			comments += text
			continue
		}
		answer, args, ok := strings.Cut(strings.TrimSpace(text), " | ")
		if !ok {
			t.Fatalf("%s: no \" | \" in %q", verdictTable, text)
		}
		rows = append(rows, verdictRow{line: len(rows) + 1, answer: answer, args: args})
	}
	return rows, comments
}

func recordVerdicts(t *testing.T, rows []verdictRow, comments string, answers []string) {
	out := bytes.NewBufferString(comments)
	for _, row := range rows {
		fmt.Fprintf(out, "%s | %s\n", cmp.Or(answers[row.line], row.answer), row.args)
	}
	if err := os.WriteFile(*verdictRecord, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func buildBench(t *testing.T) string {
	bench := filepath.Join(t.TempDir(), "bench")
	if runtime.GOOS == "windows" {
		bench += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", bench, "../cmd/bench").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bench
}

// tools maps words in a row to the programs that the row needs.
var tools = map[string]string{"icarus": "iverilog", "verilator": "verilator", "--tile ": "yosys"}

// answerOf runs commands in a copy of the tiles, and returns each exit code and the last verdict and suspects.
func answerOf(t *testing.T, bench, args string) string {
	for word, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil && strings.Contains(args, word) {
			t.Skip("needs ", tool)
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/tiles")); err != nil {
		t.Fatal(err)
	}
	var codes []string
	var out []byte
	for command := range strings.SplitSeq(args, " ; ") {
		cmd := exec.Command(bench, strings.Fields(command)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "BENCH_DB="+filepath.Join(dir, "history.db"), "NO_COLOR=1", "GITHUB_ACTIONS=")
		var err error
		out, err = cmd.CombinedOutput()
		if ended := new(exec.ExitError); err != nil && !errors.As(err, &ended) {
			t.Fatal(err)
		}
		codes = append(codes, fmt.Sprint(cmd.ProcessState.ExitCode()))
	}
	return strings.TrimSpace(strings.Join(codes, ",") + " " + verdictIn(string(out)))
}

var (
	verdictLine = regexp.MustCompile(`(?m)^(?:PASS|WEAK|FAIL|FLAKY|WIRING|ERROR|ABORTED|SKIPPED|GOOD|UNCLEAR)\b`)
	conclusion  = regexp.MustCompile(`(?m)^conclusion: .*`)
	explained   = regexp.MustCompile(`(?m)^(?:explained by|ambiguous between|may be explained by|nearest)[^\n]*:\n` +
		`((?:  [^\n]+\n)+)`)
	aboutAll = regexp.MustCompile(`^(?:which explains|searched:) `) // statements about all suspects
	wired    = regexp.MustCompile(`(?m)^(?:WIRING|UNCLEAR) [^\n]*\n((?: {9}[^\n]+\n)+)`)
)

// verdictIn returns the last verdict of an output, its conclusion and the first three suspects.
func verdictIn(out string) string {
	var found, suspects []string
	if all := verdictLine.FindAllString(out, -1); all != nil {
		found = append(found, all[len(all)-1])
	}
	found = append(found, conclusion.FindAllString(out, -1)...)
	for _, list := range []*regexp.Regexp{explained, wired} {
		for _, m := range list.FindAllStringSubmatch(out, -1) {
			for line := range strings.Lines(m[1]) {
				if line = strings.TrimSpace(line); !aboutAll.MatchString(line) {
					suspects = append(suspects, line)
				}
			}
		}
	}
	return strings.Join(append(found, suspects[:min(3, len(suspects))]...), "; ")
}
