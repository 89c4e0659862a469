package plan

import (
	"iter"
	"strconv"
	"strings"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// A Plan is the vectors of a run, with their order and count.
type Plan struct {
	Vectors, Count int                        // number of vectors and of iterations
	Iterations     iter.Seq2[int, driver.Job] // for driver.Runner.RunIterations
	Digest         string                     // of the vectors; see golden.Digest
	Suites         []*golden.Suite            // those that are not built in
	Stream         *driver.Stream             // nil for vectors
	Invocation     *driver.Invocation         // the selection, to be recorded; nil if unknown
	AcceptedList   string                     // lines that the user of a replay accepts in place of the recorded ones
}

// Plan returns the plan of a run of the selection; count is at least 1.
func (s *Selection) Plan(count int) (Plan, error) {
	if s.Capture != nil {
		return s.stream()
	}
	if _, err := s.match(); err != nil {
		return Plan{}, err
	}
	suites, err := s.load()
	if err != nil {
		return Plan{}, err
	}
	jobs, err := s.jobsOf(suites)
	p := Plan{Vectors: len(jobs), Count: count, Iterations: driver.Iterations(jobs, count),
		Digest: golden.Digest(suites), Invocation: &driver.Invocation{Suites: s.Suites, Match: s.Match,
			AcceptWeak: s.AcceptWeak, Vectors: s.words()}}
	switch {
	case len(s.Files) > 0, s.Random > 0, s.Explore.Enabled, s.kept:
		p.Suites = suites
	}
	return p, err
}

// words returns the flags that name or make the vectors; none for the built-in ones.
func (s *Selection) words() (words []string) {
	for _, path := range s.Files {
		words = append(words, "--file", path)
	}
	switch {
	case s.Random > 0:
		words = append(words, "--random", strconv.Itoa(s.Random))
	case s.Explore.File != "" && s.Explore.File != files.Standard:
		words = append(words, "--file", s.Explore.File)
	}
	return words
}

// AcceptedOutputs returns the output lines that need no comparison.
func (p *Plan) AcceptedOutputs() transport.Outputs {
	text := p.AcceptedList
	if text == "" && p.Invocation != nil {
		text = p.Invocation.AcceptWeak
	}
	lines, err := driver.ParseOutputs(text)
	if err != nil { // none, or of a recording that no bench wrote
		return 0
	}
	return lines
}

// OnlyJob returns the plan's only vector, for bench loop.
func (p *Plan) OnlyJob() (job driver.Job, err error) {
	for _, job = range p.Iterations {
		break
	}
	if p.Vectors != 1 {
		return job, failure.Usagef("loop repeats one vector, and %d are selected: name one, as in bench loop %s",
			p.Vectors, job.Vector.Name)
	}
	return job, nil
}

// DistinctJobs returns once each planned vector that is not skipped and was applied in a recorded run.
func (p *Plan) DistinctJobs() (jobs []driver.Job) {
	seen := map[*golden.Vector]bool{}
	for _, job := range p.Iterations {
		if job.SkipReason == "" && !job.NeverApplied && !seen[job.Vector] {
			seen[job.Vector] = true
			jobs = append(jobs, job)
		}
		if len(jobs) == p.Vectors { // of perhaps a million iterations
			break
		}
	}
	return jobs
}

// PlanAgain plans to repeat a recorded run: the same vectors, as many times each. The Selection only provides the tile.
func (s *Selection) PlanAgain(rec *report.Recording) (Plan, error) {
	start := &rec.Start
	if start.Invocation == nil {
		return Plan{}, failure.Usagef("it does not state how its vectors were selected, since it is a part " +
			"of another recording: it can be judged again, with -t replay, but not run again")
	}
	if start.Count < 1 {
		return Plan{}, failure.Usagef("it has %d iterations, which no bench records", start.Count)
	}
	if start.Invocation.Capture != nil {
		return s.recorded(start.Invocation)
	}
	suites, digest, err := s.suitesOf(rec)
	if err != nil {
		return Plan{}, err
	}
	if digest != start.Digest {
		return Plan{}, failure.Usagef("its vectors differ from this bench's: use bench %s, which recorded it",
			start.Bench)
	}
	s.Suites, s.Match = start.Invocation.Suites, start.Invocation.Match
	jobs, err := s.jobsOf(suites)
	return Plan{Vectors: len(jobs), Count: start.Count, Iterations: driver.Iterations(jobs, start.Count),
		Digest: digest, Suites: ownSuites(rec, suites), Invocation: start.Invocation}, err
}

// A Replay is a plan to judge a recording again: its selected executions, in order.
type Replay struct {
	Plan
	Keep func(*report.Execution) bool // selects executions of the recording
	Note string                       // for the user; may be empty
}

// PlanReplay plans to judge a recording again.
func (s *Selection) PlanReplay(rec *report.Recording) (*Replay, error) {
	if len(s.Files) > 0 {
		return nil, failure.Usagef("--file does not go with replay: the recording determines the vectors")
	}
	if asked := rec.Start.Invocation; asked != nil && asked.Capture != nil {
		return s.captured(rec)
	}
	suites, digest, err := s.suitesOf(rec)
	if err != nil {
		return nil, err
	}
	jobs, err := s.byName(suites)
	if err != nil {
		return nil, err
	}
	r := &Replay{Plan: Plan{Count: rec.Start.Count, Digest: digest, Suites: ownSuites(rec, suites),
		Iterations: iterations(rec, jobs, s.Tile), AcceptedList: s.AcceptWeak}}
	if len(s.Suites) == 0 && s.Match == "" { // all executions, so it is still the recorded run
		r.Invocation = rec.Start.Invocation
	}
	if digest != rec.Start.Digest {
		r.Note = "the recording has other vectors than this bench: changed ones are an ERROR, removed ones are omitted"
	}
	r.Keep = func(p *report.Execution) bool {
		j, ok := jobs[p.Vector]
		return ok && applies(j.Vector, s.Tile)
	}
	for n := range r.Iterations {
		if n > 1 {
			break
		}
		r.Vectors++
	}
	return r, nil
}

// suitesOf returns the suites from which a recording's vectors may come, and their digest.
func (s *Selection) suitesOf(rec *report.Recording) (suites []*golden.Suite, digest string, err error) {
	if suites, err = Suites(rec, s.Tile); err != nil {
		return nil, "", err
	}
	if len(suites) == 0 {
		suites, err = tile.Suites(s.Tile)
	}
	return suites, golden.Digest(suites), err
}

func ownSuites(rec *report.Recording, suites []*golden.Suite) []*golden.Suite {
	if len(rec.SuiteTexts) == 0 {
		return nil
	}
	return suites
}

func (s *Selection) byName(suites []*golden.Suite) (map[string]driver.Job, error) {
	all, err := s.jobsOf(suites)
	jobs := map[string]driver.Job{}
	for _, j := range all {
		jobs[j.Vector.Name] = j
	}
	return jobs, err
}

// Suites parses the suites in a recording; none for the built-in ones. After an error, such as a newer bench's format,
// only the recording's steps are usable.
func Suites(rec *report.Recording, t tile.Tile) (suites []*golden.Suite, err error) {
	for _, text := range rec.SuiteTexts {
		suite, err := golden.Parse(text.File, text.Text, tile.Dialect(t))
		if err != nil {
			return nil, failure.Usagef("%s: the vectors in it cannot be read by this bench: %w; take bench "+
				"%s, which recorded it", rec.Path, err, rec.Start.Bench)
		}
		suites = append(suites, suite)
	}
	return suites, golden.CheckLimits(suites)
}

// iterations returns the jobs with executions in a recording, and the jobs to skip.
func iterations(rec *report.Recording, jobs map[string]driver.Job, t tile.Tile) iter.Seq2[int, driver.Job] {
	simulated := rec.Start.Kind == report.Verilog && rec.Start.Revision == t.Revision()
	return func(yield func(int, driver.Job) bool) {
		for p, err := range rec.Executions() {
			if err != nil {
				return // the transport reports the same error
			}
			job, known := jobs[p.Vector]
			unapplied := known && len(p.Steps) == 0 && p.Verdict == driver.Error
			if unapplied && t.Lint(job.Vector.Steps) == nil { // whose lint has changed since
				job.UnappliedReason = p.Reason
			}
			asked := len(p.Steps) > 0 || p.Verdict != driver.Skipped
			job.NeverApplied = len(p.Steps) == 0 && (p.Verdict == driver.Wiring || p.Verdict == driver.Aborted)
			if simulated {
				job.Failed = p.Verdict == driver.Fail
				if p.Verdict == driver.Error && strings.HasPrefix(p.Reason, driver.TwinReason) {
					job.TwinReason = p.Reason
				}
			}
			if !asked && p.Verdict == driver.Skipped && rec.Start.Revision == t.Revision() {
				job.SkipReason = p.Reason
			}
			if known && (asked || job.SkipReason != "" || !applies(job.Vector, t)) && !yield(p.Iteration, job) {
				return
			}
		}
	}
}

func applies(v *golden.Vector, t tile.Tile) bool {
	return v.Revision == "" || v.Revision == t.Revision()
}
