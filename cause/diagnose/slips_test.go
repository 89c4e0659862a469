package diagnose

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// A slip is a design with one mistake in its logic, such as a boundary of 7F where 80 is right.
type slip struct {
	name string // file:line: what it was and what it became
	file string // that has it
	text string // of this file
}

// A mutation makes slips: each match of a pattern is replaced by each of the texts that become gives.
type mutation struct {
	in     string // files, as a pattern of their names
	at     *regexp.Regexp
	become func(match []string) []string
}

func always(texts ...string) func([]string) []string {
	return func([]string) []string { return texts }
}

var mutations = []mutation{
	{"*.v", regexp.MustCompile(`\b(\d+)'([bdh])([0-9A-F]+)\b`), nextConstants},
	{"*.v", regexp.MustCompile(`((?:==|\+|-|\?|:|[^<>=!]=|[a-z0-9] <=) )(\d+)\b`),
		func(m []string) []string { return []string{m[1] + add1(m[2])} }},
	{"*.v", regexp.MustCompile(`([a-z0-9]\[)(\d+)\]`),
		func(m []string) []string { return []string{m[1] + add1(m[2]) + "]"} }},
	{"*.v", regexp.MustCompile(` < `), always(" <= ")},
	{"*.v", regexp.MustCompile(` >= `), always(" > ")},
	{"value.v", regexp.MustCompile(` <= `), always(" < ")},
	{"*.v", regexp.MustCompile(` == `), always(" != ")},
	{"*.v", regexp.MustCompile(` != `), always(" == ")},
	{"*.v", regexp.MustCompile(` && `), always(" || ")},
	{"*.v", regexp.MustCompile(` \|\| `), always(" && ")},
	{"*.v", regexp.MustCompile(` \^ `), always(" | ", " & ")},
	{"*.v", regexp.MustCompile(` \+ `), always(" - ")},
	{"*.v", regexp.MustCompile(` - `), always(" + ")},
	{"*.v", regexp.MustCompile(`!(\w)`), func(m []string) []string { return m[1:] }},
	{"*.v", regexp.MustCompile(`\bif \(`), always("if (!")},
	{"*.v", regexp.MustCompile(`(\w+) \?`), func(m []string) []string { return []string{"!" + m[1] + " ?"} }},
}

// nextConstants are the constants below and above one, as wide.
func nextConstants(m []string) (texts []string) {
	bases := map[string]int{"b": 2, "d": 10, "h": 16}
	width, err := strconv.Atoi(m[1])
	if err != nil {
		panic(err) // the pattern takes digits alone
	}
	value, err := strconv.ParseUint(m[3], bases[m[2]], 64)
	if err != nil {
		panic(err)
	}
	for _, v := range []uint64{value - 1, value + 1} {
		texts = append(texts, fmt.Sprintf("%d'%s%s", width, m[2], strconv.FormatUint(v&(1<<width-1), bases[m[2]])))
	}
	return texts
}

func add1(digits string) string {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(err)
	}
	return strconv.Itoa(n + 1)
}

const design = "../../transport/verilog/testdata/chip"

// slips are all that the mutations make of the design.
func slips(t testing.TB) (all []slip) {
	t.Helper()
	for _, file := range []string{"value.v", "project.v", "forms.v"} {
		text, err := os.ReadFile(filepath.Join(design, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mutations {
			if ok, _ := filepath.Match(m.in, file); ok {
				all = append(all, m.slips(file, string(text))...)
			}
		}
	}
	return all
}

func (m mutation) slips(file, text string) (all []slip) {
	for _, at := range m.at.FindAllStringSubmatchIndex(text, -1) {
		line := strings.Count(text[:at[0]], "\n") + 1
		whole := strings.Split(text, "\n")[line-1]
		before := text[strings.LastIndex(text[:at[0]], "\n")+1 : at[0]]
		if strings.Contains(before, "//") || strings.Contains(whole, "wire [") && strings.Contains(whole, "put") {
			continue // a comment, or the width of a port
		}
		match := m.at.FindStringSubmatch(text[at[0]:at[1]])
		if match == nil { // the pattern looks at what is around it
			continue
		}
		for _, b := range m.become(match) {
			name := fmt.Sprintf("%s:%d:%d: %s became %s", file, line, len(before)+1, strings.TrimSpace(match[0]),
				strings.TrimSpace(b))
			all = append(all, slip{name, file, text[:at[0]] + b + text[at[1]:]})
		}
	}
	return all
}

// answers are what the design with a slip answers to the vectors, execution by execution; ok is false for a slip that
// is no Verilog.
func (s slip) answers(t *testing.T, jobs []driver.Job) (executions []Execution, ok bool) {
	t.Helper()
	dir := t.TempDir()
	mutant := filepath.Join(dir, s.file)
	if err := os.WriteFile(mutant, []byte(s.text), 0o600); err != nil {
		t.Fatal(err)
	}
	sources := []string{mutant}
	for _, file := range []string{"value.v", "project.v", "forms.v"} {
		if file != s.file {
			sources = append(sources, filepath.Join(design, file))
		}
	}
	chip, err := verilog.Open(t.Context(), verilog.Config{Sources: sources, Simulator: "icarus", Cache: dir})
	if err != nil {
		t.Logf("%s: %v", s.name, err)
		return nil, false
	}
	defer chip.Close()
	r := driver.Runner{Tile: utf.TT09, Transport: chip, Report: func(r *driver.Result) {
		if t := r.Trace; t != nil {
			executions = append(executions, Execution{Steps: slices.Clone(t.Steps), Got: slices.Clone(t.Got)})
		}
	}}
	if _, err := r.Run(t.Context(), jobs); err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return executions, true
}

// A mistake in the logic is not blamed on a wire, a register bit or chance, unless such a fault gives exactly the same
// answers: not in a simulation, and not if the same answers had come from a board, in one or two iterations.
// BENCH_SLIPS_STRIDE is the distance in the list between slips that are tried; 1 tries all.
func TestSlips(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("needs iverilog (Debian package iverilog), which the slips are simulated with")
	}
	var jobs []driver.Job
	for i, j := range allJobs(t) {
		if i%5 == 0 {
			jobs = append(jobs, j)
		}
	}
	all, between := slips(t), testkit.Stride(40, 600)
	if n, err := strconv.Atoi(os.Getenv("BENCH_SLIPS_STRIDE")); err == nil && n > 0 {
		between = n
	}
	var score score
	t.Run("all", func(t *testing.T) {
		for i := 0; i < len(all); i += between {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				if executions, ok := all[i].answers(t, jobs); ok {
					score.add(t, all[i], executions)
				}
			})
		}
	})
	t.Logf("of %d slips of %d the vectors see %d; their conclusions in a simulation, on a board, and "+
		"there in two rounds: %v", (len(all)+between-1)/between, len(all), score.seen, score.of)
	if want := max(1, 100/between); score.seen < want {
		t.Errorf("%d slips are seen; want %d at least", score.seen, want)
	}
	for far, of := range score.of {
		if least := [...]int{80, 50, 80}[far]; score.seen >= 10 && of[Logic]*100 < least*score.seen {
			// one round leaves some open
			t.Errorf("far end %d: %d of %d slips are called logic", far, of[Logic], score.seen)
		}
	}
}

// A score is how many slips led to which conclusion.
type score struct {
	mu   sync.Mutex
	seen int
	of   [3]map[Conclusion]int // in a simulation, on a board, and there in two rounds
}

func (s *score) add(t *testing.T, of slip, executions []Execution) {
	for far, c := range []Run{{Tile: utf.TT09, Simulated: true}, {Tile: utf.TT09}, {Tile: utf.TT09}} {
		for range max(1, far) {
			for i, p := range executions {
				c.Add(fmt.Sprint(i), p.Steps, p.Got)
			}
		}
		if c.Failed == 0 {
			return
		}
		f := c.Diagnose()
		s.count(far, f.Conclusion)
		best := f.Causes[0]
		t.Logf("%s, far end %d: %s, %d of %d vectors fail; the nearest is %s, which explains %d of %d bits", of.name,
			far, f.Conclusion, f.Vectors, len(executions), best, best.Explained, best.Differs)
		switch f.Conclusion {
		case Logic, Unexplained:
		case Wire, Register, Revision:
			if far == 0 && f.Conclusion == Wire || !answersLike(best.Hypothesis, executions) {
				t.Errorf("%s is put down to %s, %s", of.name, f.Conclusion, best)
			}
		default:
			t.Errorf("%s, far end %d: %s, %s", of.name, far, f.Conclusion, best)
		}
	}
}

func (s *score) count(far int, c Conclusion) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if far == 0 {
		s.seen++
	}
	if s.of[far] == nil {
		s.of[far] = map[Conclusion]int{}
	}
	s.of[far][c]++
}

// answersLike says whether a chip for which the hypothesis is true gives exactly the same answers, wherever a right
// chip's answers are known.
func answersLike(h Hypothesis, executions []Execution) bool {
	chip := h.Simulate(transport.PullNone)
	right := model.New(model.TT09)
	for _, p := range executions {
		got := make([]transport.Sample, len(p.Steps))
		chip.Run(p.Steps, got)
		for i, g := range got {
			want, o := right.Step(p.Steps[i]), p.Got[i]
			if (g.Differ(o)|o.Differ(g))&^want.Unknown() != 0 {
				return false
			}
		}
	}
	return true
}
