package plan

import (
	"iter"
	"strconv"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/transport"
)

// A Plan holds the vectors of a run in their order, and how often they run.
type Plan struct {
	Vectors, Count int                        // numbers of vectors and of iterations
	Iterations     iter.Seq2[int, driver.Job] // for driver.Runner.RunIterations
	Digest         string                     // digest of the vectors; see golden.Digest
	Suites         []*golden.Suite            // suites that are not built in
	Stream         *driver.Stream             // nil for a run of vectors
	Invocation     *driver.Invocation         // the selection, for the recording; nil if unknown
	AcceptedList   string                     // lines that the user of a replay accepts instead of the recorded list
}

// Plan returns the plan for running the selection. count is the number of iterations, at least 1.
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
	jobs, err := s.JobsOf(suites)
	p := Plan{Vectors: len(jobs), Count: count, Iterations: driver.Iterations(jobs, count),
		Digest: golden.Digest(suites), Invocation: &driver.Invocation{Suites: s.Suites, Match: s.Match,
			AcceptWeak: s.AcceptWeak, Vectors: s.words()}}
	switch {
	case len(s.Files) > 0, s.RandomSteps > 0, s.Generate != nil, s.kept:
		p.Suites = suites
	}
	return p, err
}

// words returns the flags that select or generate the vectors. Built-in vectors need no flags.
func (s *Selection) words() (words []string) {
	for _, path := range s.Files {
		words = append(words, "--file", path)
	}
	if s.RandomSteps > 0 {
		words = append(words, "--random", strconv.Itoa(s.RandomSteps))
	}
	return words
}

// AcceptedOutputs returns the output lines that need not be compared.
func (p *Plan) AcceptedOutputs() transport.Outputs {
	text := p.AcceptedList
	if text == "" && p.Invocation != nil {
		text = p.Invocation.AcceptWeak
	}
	lines, err := driver.ParseOutputs(text)
	if err != nil { // only a recording that no bench wrote has an invalid list
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

// DistinctJobs returns each planned vector once, except those that are skipped or that a recorded run never applied.
func (p *Plan) DistinctJobs() (jobs []driver.Job) {
	seen := map[*golden.Vector]bool{}
	for _, job := range p.Iterations {
		if job.SkipReason == "" && !job.NeverApplied && !seen[job.Vector] {
			seen[job.Vector] = true
			jobs = append(jobs, job)
		}
		if len(jobs) == p.Vectors { // there may be a million iterations
			break
		}
	}
	return jobs
}
