package report

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// A Suggestion is a command that the bench suggests, and its purpose.
type Suggestion struct {
	Args    []string // arguments of bench
	Purpose string
}

// widest is the maximum length of a command whose purpose is in the aligned column.
const widest = 56

// WriteSuggestions writes commands to paste into a shell, with their purposes as comments. w has to store write errors.
func WriteSuggestions(w io.Writer, steps []Suggestion) {
	if len(steps) == 0 {
		return
	}
	width := 0
	for _, s := range steps {
		if n := len(printable.Command(s.Args...)); n <= widest {
			width = max(width, n)
		}
	}
	fmt.Fprintln(w, "\nnext:")
	for _, s := range steps {
		fmt.Fprintf(w, "  %-*s  # %s\n", width, printable.Command(s.Args...), s.Purpose)
	}
}

// A SuggestionCollector is a report.Reporter that collects the data for suggestions after a run.
type SuggestionCollector struct {
	FirstFailed        string            // the first vector that is FAIL, or ""
	FirstError         string            // the first vector that is ERROR, or ""
	ReferenceDisagrees bool              // FirstError is an ERROR because the reference contradicts the vector
	Searched           bool              // a search made some of the vectors
	Speed              *transport.Timing // speed of the run; nil if step by step
	Outcome            Outcome
	Ended              bool
}

func (a *SuggestionCollector) Start(r Run) error {
	a.Speed = r.Speed
	return nil
}

func (a *SuggestionCollector) Result(r *driver.Result) error {
	a.Searched = a.Searched || IsSearched(r.Vector)
	switch {
	case r.Verdict == driver.Fail && a.FirstFailed == "":
		a.FirstFailed = r.Vector.Name
	case r.Verdict == driver.Error && a.FirstError == "":
		a.FirstError, a.ReferenceDisagrees = r.Vector.Name, r.Contradiction != nil
	}
	return nil
}

func (a *SuggestionCollector) End(of Outcome) error {
	a.Outcome, a.Ended = of, true
	return nil
}

// IsComplete reports whether the run was completed.
func (a *SuggestionCollector) IsComplete() bool { return a.Ended && !a.Outcome.Interrupted }

// A PastRun describes a run for suggestions after it.
type PastRun struct {
	TargetArgs      []string            // flags that select the chip
	GivenFlags      map[string][]string // flags of bench run that the user gave, by name, each as on a command line
	RecordingArgs   []string            // RUN, and the flags to find it; nil if the run was not recorded
	HasWires        bool                // bench doctor can check its wires
	Replayed        bool                // the chip was a recording
	ShownInFull     bool                // a single vector was run, and shown in full
	AllVectors      int                 // number of vectors without --run and --suite, if these exclude some
	RandomFaults    bool                // an injected fault acts at random, so a single vector may pass
	Iterations      int                 // number of iterations, at least 1
	DoubtfulSources string              // the name of the tile if its sources may be wrong, or ""
	Simulated       bool                // only these sources were simulated
}

// RunArgument returns the RUN that names a recorded run: its number in the history, or if that is 0 the path of its
// recording, or if that is "" the recording that the transport replayed, or nil.
func RunArgument(number int, path, transport string) []string {
	run, replayed := strings.CutPrefix(transport, "replay:")
	switch {
	case number > 0:
		run = strconv.Itoa(number)
	case path != "":
		run = path
	case !replayed:
		return nil
	}
	return []string{run}
}

// DoctorPurpose is the purpose of bench doctor.
const DoctorPurpose = "from the port to the chip, layer by layer"

// Suggest suggests commands after the run, by its verdict. After an interrupt it suggests none.
func (r *PastRun) Suggest(a *SuggestionCollector) []Suggestion {
	if !a.IsComplete() {
		return nil
	}
	switch a.Outcome.Verdict() {
	case driver.Fail:
		steps := slices.Concat(SuggestForRecording(r.RecordingArgs), r.slower(a.Speed), r.failure(a.FirstFailed))
		if r.Simulated {
			steps = append(steps, SuggestTileCheck(r.DoubtfulSources)...)
		}
		return steps
	case driver.Weak:
		var steps []Suggestion
		if t := a.Outcome.Tally; t.Gap().Never != 0 || t.ToggledLines() == 0 ||
			t.Coverage != nil && t.Coverage.IsMostlyUnknown() {
			steps = SuggestTileCheck(r.DoubtfulSources)
		}
		return slices.Concat(steps, r.accepted(a), r.missed(a), r.suggestMore(a))
	case driver.Pass:
		return r.missed(a)
	case driver.Skipped:
		if r.GivenFlags["no-reference"] != nil { // the reference was not the tile's
			return nil
		}
		return SuggestTileCheck(r.DoubtfulSources)
	case driver.Flaky:
		if r.Replayed {
			return SuggestForRecording(r.RecordingArgs)
		}
		more := []string{"--count", strconv.Itoa(moreOften * r.Iterations)}
		return append(SuggestForRecording(r.RecordingArgs), Suggestion{slices.Concat([]string{"run"}, r.TargetArgs,
			r.asked(), more), "more iterations"})
	case driver.Wiring:
		return SuggestAfterWiring(driver.Wiring, slices.Concat([]string{"run"}, r.TargetArgs, r.asked()), r.TargetArgs)
	case driver.Error:
		switch {
		case a.ReferenceDisagrees, a.Outcome.Tally.IllegalVectors > 0:
			steps := r.shows(a.FirstError)
			if a.FirstFailed == "" {
				return steps
			}
			return slices.Concat(SuggestForRecording(r.RecordingArgs), r.failure(a.FirstFailed), steps)
		case a.Outcome.Tally.StoppedBy != "":
			return nil
		case r.HasWires:
			return []Suggestion{{slices.Concat([]string{"doctor"}, r.TargetArgs), DoctorPurpose}}
		}
		return r.alone(a.FirstError, "the first ERROR alone")
	}
	return nil
}

// SuggestAfterAgain suggests commands after bench run --again, where no flags select vectors: for recording and board.
func (r *PastRun) SuggestAfterAgain(a *SuggestionCollector) []Suggestion {
	if !a.IsComplete() {
		return nil
	}
	board := r.HasWires && !a.ReferenceDisagrees && a.Outcome.Tally.IllegalVectors == 0
	switch v := a.Outcome.Verdict(); {
	case v == driver.Fail, v == driver.Flaky:
		return SuggestForRecording(r.RecordingArgs)
	case v == driver.Wiring, v == driver.Error && board:
		return r.Suggest(a)
	}
	return nil
}

// SuggestAfterLogic suggests commands after a diagnosis that blames the logic of a simulated design. netlist is a
// netlist with injected faults, and tile is the user's name of the tile; either may be "".
func SuggestAfterLogic(run []string, netlist, tile string) (steps []Suggestion) {
	var of []string
	if tile != "" {
		of = []string{"--tile", tile}
	}
	if netlist != "" {
		steps = append(steps, Suggestion{slices.Concat([]string{"diagnose"}, run, []string{"--netlist", netlist}, of),
			"which cell of the netlist explains it"})
	}
	if tile != "" {
		steps = append(steps, Suggestion{slices.Concat([]string{"minimise"}, run, of),
			"few steps that still fail"})
	}
	return steps
}

// SuggestAfterBursts suggests, after a diagnosis of runs at speed, repeating the first run step by step on the target
// without its speed, and diagnosing all runs together.
func SuggestAfterBursts(runs, first, target []string) []Suggestion {
	if target == nil {
		return nil // without a target, the run would be repeated at speed
	}
	return []Suggestion{{slices.Concat([]string{"run", "--again"}, first, without(target, "--at", "--sample",
		"--lead"), []string{"--at", ""}), "the same step by step"},
		{slices.Concat([]string{"diagnose", "last"}, runs), "then: what explains both"}}
}

// SuggestTileCheck suggests a check of a tile's sources. name is the user's name of the tile, or "" without sources.
func SuggestTileCheck(name string) []Suggestion {
	if name == "" {
		return nil
	}
	return []Suggestion{{[]string{"tile", "check", "--tile", name},
		"source lines that act differently in silicon, or that no reset sets"}}
}

// SuggestAfterWiring suggests a run to diagnose after a wiring check; after WIRING, first to repeat it once repaired.
func SuggestAfterWiring(v driver.Verdict, command, target []string) (steps []Suggestion) {
	words, why := slices.Concat([]string{"run"}, target), "every vector, to diagnose"
	if v == driver.Wiring {
		steps = []Suggestion{{command, "again, once that wire is repaired"}}
		words, why = append(words, "--no-wiring"), "every vector behind the bad wire, to diagnose"
	}
	return append(steps, Suggestion{words, why})
}

// SuggestForRecording suggests commands for the recording of a failed run, or none for nil; see PastRun.
func SuggestForRecording(recording []string) []Suggestion {
	if recording == nil {
		return nil
	}
	return []Suggestion{
		{slices.Concat([]string{"diagnose"}, recording), "what explains it"},
		{slices.Concat([]string{"report"}, recording, []string{"--open"}), "a page with waveforms"}}
}

// slowest is the period at and above which the bench suggests a run step by step instead of a run at half the clock.
const slowest = time.Microsecond

// slower suggests, after a failure at speed in the history, a slower run and a diagnosis of both, to find slow lines.
func (r *PastRun) slower(at *transport.Timing) []Suggestion {
	if at == nil || r.Replayed || r.RecordingArgs == nil {
		return nil
	}
	if _, err := strconv.Atoi(r.RecordingArgs[0]); err != nil {
		return nil // the next run will not be in the history either
	}
	target, why := without(r.TargetArgs, "--at", "--sample", "--lead"), "the same step by step"
	if at.Period < slowest {
		if why = "the same at half the clock"; len(target)+2 < len(r.TargetArgs) {
			why = "at half the clock, sampled as late as possible"
		}
		target = append(target, "--at", (2 * at.Period).String())
	}
	return []Suggestion{{slices.Concat([]string{"run"}, target, r.asked()), why},
		{slices.Concat([]string{"diagnose", r.RecordingArgs[0], "last"}, r.RecordingArgs[1:]),
			"then: what explains both, from which time on"}}
}

func without(words []string, flags ...string) (rest []string) {
	for i := 0; i < len(words); i++ {
		if slices.Contains(flags, words[i]) {
			i++
			continue
		}
		rest = append(rest, words[i])
	}
	return rest
}

// shows suggests a command that prints a vector's steps.
func (r *PastRun) shows(vector string) []Suggestion {
	return []Suggestion{{slices.Concat([]string{"vectors", "show", vector}, r.given("tile", "file", "seed")),
		"its steps, and what the vector expects"}}
}

// alone suggests running a single vector, in full, unless it has been shown in full.
func (r *PastRun) alone(vector, why string) []Suggestion {
	if r.ShownInFull {
		return nil
	}
	return []Suggestion{{slices.Concat([]string{"run"}, r.TargetArgs, r.given("no-reference", "file", "random",
		"no-wiring", "no-history"),
		[]string{"--run", "^" + regexp.QuoteMeta(vector) + "$", "-v"}), why}}
}

// moreOften is the factor by which the iterations increase for a flaky vector.
const moreOften = 5

// failure suggests repeating only the first failing vector, unless random faults could make it pass.
func (r *PastRun) failure(vector string) []Suggestion {
	if r.RandomFaults {
		return nil
	}
	return r.alone(vector, "only the vector of the first failure")
}

// asked returns the flags that select the vectors.
func (r *PastRun) asked() []string {
	return r.given("no-reference", "suite", "run", "file", "random", "timeout", "tag", "no-wiring", "no-history")
}

// given returns the flags of a list that were set, in the order of the list.
func (r *PastRun) given(flags ...string) (words []string) {
	for _, name := range flags {
		words = append(words, r.GivenFlags[name]...)
	}
	return words
}
