package history

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// A RunPair holds two recorded runs, A and B. Its methods return read errors but leave write errors to the writer.
type RunPair struct {
	Names      [2]string // the user's names for them
	Recordings [2]*report.Recording
	Tiles      [2]tile.Tile // the references
	Verbose    bool         // show all vectors and all differences
}

// WriteText writes the differences between the runs' descriptions and samples. Only samples determine the conclusion.
func (r *RunPair) WriteText(w io.Writer) (Conclusion, error) {
	r.head(w)
	if a, b := r.Tiles[0], r.Tiles[1]; a != b {
		fmt.Fprintf(w, "the reference is A's, %s; B was compared with %s\n", cmp.Or(a.Revision(), a.Name()),
			cmp.Or(b.Revision(), b.Name()))
	}
	provenance(w, &r.Recordings[0].Start, &r.Recordings[1].Start)
	d := differences{RunPair: r, shown: map[any]bool{}, tell: func(f *Difference) { r.write(w, f) }}
	sum, err := CompareRecordings(r.Recordings[0], r.Recordings[1], r.Tiles[0], d.add)
	if err != nil {
		return Undecided, err
	}
	if d.hidden > 0 {
		fmt.Fprintf(w, "\n... %s of difference, one vector of each; %d more that differ; -v shows all\n",
			printable.Count(len(d.shown), "kind"), d.hidden)
	}
	sum.write(w, r.Verbose)
	of := printable.Count(sum.ComparedPairs, "execution") + " (" + printable.Count(sum.ComparedSteps, "step") +
		" compared)"
	c, match := r.conclude(sum), "samples match in "+of
	switch {
	case c == Same:
		fmt.Fprintf(w, "\nSAME  %s\n", match)
	case c == NothingCompared:
		fmt.Fprintln(w, "\nSKIPPED  no execution has samples of the same steps in both runs, so nothing was compared")
	case c == Undecided:
		fmt.Fprintln(w, "\nERROR  samples match as far as both runs have them, but a recording is incomplete")
	case sum.DifferingPairs == 0:
		fmt.Fprintf(w, "\nDIFFERENT  %s, but the runs differ otherwise, as listed\n", match)
	default:
		fmt.Fprintf(w, "\nDIFFERENT  samples differ in %d of %s\n", sum.DifferingPairs, of)
	}
	return c, nil
}

func (r *RunPair) conclude(sum *Summary) Conclusion {
	switch {
	case sum.ComparedPairs == 0:
		return NothingCompared
	case sum.DifferingPairs+len(sum.VectorsWithOtherSteps) > 0:
		return Different
	case r.Recordings[0].CutReason != "" || r.Recordings[1].CutReason != "" || sum.Stopped:
		return Undecided
	case !sum.Identical():
		return Different
	}
	return Same
}

func (r *RunPair) head(w io.Writer) {
	for i, rec := range r.Recordings {
		s := &rec.Start
		board := strings.TrimSpace(s.Board + " " + s.Device)
		fmt.Fprintf(w, "%c  %s: %s, board %s, %s\n", 'A'+i, r.Names[i], s.Transport, board,
			s.Time.Local().Format(time.DateTime))
		if rec.CutReason != "" {
			fmt.Fprintf(w, "   the recording is incomplete: %s\n", rec.CutReason)
		}
	}
}

// provenance writes the differences between the descriptions of the runs.
func provenance(w io.Writer, a, b *report.Start) {
	firmware := [2]string{a.Firmware, b.Firmware}
	var clocks [2]string
	for i, text := range firmware {
		if at := strings.LastIndex(text, ", "); at >= 0 && strings.HasSuffix(text, " MHz") {
			firmware[i], clocks[i] = text[:at], text[at+2:]
		}
	}
	writeFacts(w, append([]fact{
		{"bench", a.Bench, b.Bench}, {"transport", a.Transport, b.Transport}, {"board", a.Board, b.Board},
		{"device", a.Device, b.Device},
		{"revision", a.Revision, b.Revision}, {"chip's ROM", a.ROM, b.ROM}, {"design", a.Design, b.Design},
		{"design's digest", a.Sources, b.Sources},
		{"faults", a.Faults, b.Faults}, {"firmware", firmware[0], firmware[1]}, {"board's clock", clocks[0], clocks[1]},
		{"host", a.Host, b.Host},
		{"vectors' digest", a.Digest, b.Digest}, {"vectors", strconv.Itoa(a.Vectors), strconv.Itoa(b.Vectors)},
		{"count", strconv.Itoa(a.Count), strconv.Itoa(b.Count)},
	}, tagFacts(a.Tags, b.Tags)...))
	for i, notes := range [2][2][]string{{a.Notes, b.Notes}, {b.Notes, a.Notes}} {
		for _, note := range notes[0] {
			if !slices.Contains(notes[1], note) {
				fmt.Fprintf(w, "note of %c: %s\n", 'A'+i, note)
			}
		}
	}
}

// A fact is a property with its values in both runs.
type fact struct{ what, a, b string }

func writeFacts(w io.Writer, facts []fact) {
	t := printable.NewTable("different", "A", "B")
	for _, f := range facts {
		if f.a != f.b {
			t.Row(f.what, cmp.Or(f.a, "-"), cmp.Or(f.b, "-"))
		}
	}
	_ = t.Write(w, "\n")
}

func tagFacts(a, b files.Tags) (all []fact) {
	for _, key := range a.With(b).Keys() {
		all = append(all, fact{"tag " + key, a[key], b[key]})
	}
	return all
}

// differences writes one difference of each kind, or all differences if verbose.
type differences struct {
	*RunPair
	tell   func(*Difference)
	shown  map[any]bool
	hidden int
}

// mostShown is the maximum number of kinds that are shown.
const mostShown = 5

func (d *differences) add(f *Difference) {
	kind := struct {
		out, io uint8
		act     string
	}{f.OutDiff, f.IODiff, tile.Operation(d.Tiles[0], f.Step)}
	if !d.Verbose && (d.shown[kind] || len(d.shown) >= mostShown) {
		d.hidden++
		return
	}
	d.shown[kind] = true
	d.tell(f)
}

func (r *RunPair) write(w io.Writer, f *Difference) {
	t, iteration := r.Tiles[0], ""
	if f.Iteration > 1 {
		iteration = fmt.Sprintf(" (iteration %d)", f.Iteration)
	}
	fmt.Fprintf(w, "\n%s%s\n        step %d of %d: %s\n", f.Vector, iteration, f.Index+1, f.Steps,
		tile.Describe(t, f.Step))
	for _, line := range report.DrawSamples(t, f.Step, f.OutDiff, f.IODiff, report.SampleRow{Name: "A", Sample: f.A},
		report.SampleRow{Name: "B", Sample: f.B}, report.SampleRow{Name: "want", Sample: f.Want}) {
		fmt.Fprintln(w, "        "+line)
	}
	if f.LaterSteps > 0 {
		fmt.Fprintf(w, "        the first of %d steps that differ\n", f.LaterSteps+1)
	}
}

// mostListed is the maximum number of vectors in a list.
const mostListed = 10

func (s *Summary) write(w io.Writer, verbose bool) {
	s.writeChanges(w, verbose)
	s.writeLines(w)
	s.writeRest(w, verbose)
}

// writeChanges lists the vectors with different verdicts.
func (s *Summary) writeChanges(w io.Writer, verbose bool) {
	changed := s.ChangedVectors()
	t, more := printable.NewTable("vector with another verdict", "A", "B"), 0
	if len(changed) > mostListed && !verbose {
		changed, more = changed[:mostListed], len(changed)-mostListed
	}
	for _, v := range changed {
		t.Row(v.Name, &v.A, &v.B)
	}
	if _ = t.Write(w, "\n"); more > 0 {
		fmt.Fprintf(w, "... and %d more; -v lists all\n", more)
	}
}

func (s *Summary) writeLines(w io.Writer) {
	t := printable.NewTable("line", "steps that differ", "of these wrong in A", "of these wrong in B")
	for i, l := range s.Lines {
		if l.Steps > 0 {
			t.Row(transport.Lines[transport.UO+i], l.Steps, l.WrongA, l.WrongB)
		}
	}
	_ = t.Write(w, "\n")
}

// writeRest lists vectors and executions that were not compared.
func (s *Summary) writeRest(w io.Writer, verbose bool) {
	for _, of := range []struct {
		what string
		list []string
	}{
		{"vectors that only A has", s.VectorsOnlyA}, {"vectors that only B has", s.VectorsOnlyB},
		{"vectors with other steps in B than in A, which were not compared", s.VectorsWithOtherSteps},
	} {
		n := len(of.list)
		if n == 0 {
			continue
		}
		more := ""
		if n > mostListed && !verbose {
			of.list, more = of.list[:mostListed], fmt.Sprintf(", and %d more", n-mostListed)
		}
		fmt.Fprintf(w, "\n%s: %d\n  %s%s\n", of.what, n, strings.Join(of.list, "\n  "), more)
	}
	for i, n := range []int{s.ExecutionsOnlyA, s.ExecutionsOnlyB} {
		if n > 0 {
			fmt.Fprintf(w, "\nnot compared: %s in iterations that only %c has\n", printable.Count(n, "execution"),
				'A'+i)
		}
	}
	if s.IncompletePairs > 0 {
		fmt.Fprintf(w, "\ncompared only up to a step that one lacks or applied with other inputs (after a difference "+
			"the bench releases uio): %s\n", printable.Count(s.IncompletePairs, "execution"))
	}
	if s.UnknownOnlySteps > 0 {
		fmt.Fprintf(w, "\nsteps that differ only where the reference expects no level, not counted: %d\n",
			s.UnknownOnlySteps)
	}
}
