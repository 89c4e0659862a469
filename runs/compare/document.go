package compare

import (
	"io"
	"time"

	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// A diffDocument is the JSON form of Diff; see docs/formats.md.
type diffDocument struct {
	files.DocumentHead
	A               sidePart         `json:"a"`
	B               sidePart         `json:"b"`
	Same            bool             `json:"same"`
	Conclusion      Conclusion       `json:"conclusion"`
	Pairs           int              `json:"executions"`
	Differ          int              `json:"different"`
	Cut             int              `json:"cut_short"`
	OpenOnly        int              `json:"open_steps"`
	OnlyA           []string         `json:"only_a"`
	OnlyB           []string         `json:"only_b"`
	ExecutionsOnlyA int              `json:"executions_only_a"`
	ExecutionsOnlyB int              `json:"executions_only_b"`
	OtherSteps      []string         `json:"other_steps"`
	Changed         []changePart     `json:"verdicts"`
	Lines           []linePart       `json:"lines"`
	Differences     []differencePart `json:"differences"`
	More            int              `json:"more_differences"`
}

type sidePart struct {
	Run       string `json:"run"`
	Transport string `json:"transport"`
	report.Identity
	Time      time.Time  `json:"time"`
	CutReason string     `json:"cut,omitempty"`
	Tags      files.Tags `json:"tags,omitempty"`
}

type changePart struct {
	Vector string `json:"vector"`
	A      string `json:"a"`
	B      string `json:"b"`
}

type linePart struct {
	Line   string `json:"line"`
	Steps  int    `json:"steps"`
	WrongA int    `json:"a_wrong"`
	WrongB int    `json:"b_wrong"`
}

type differencePart struct {
	Vector    string            `json:"vector"`
	Iteration int               `json:"iteration"`
	Step      int               `json:"step"` // from 1
	Of        int               `json:"of"`
	Operation string            `json:"does"`
	Pins      report.Pins       `json:"pins"`
	A         report.SampleBits `json:"a"`
	B         report.SampleBits `json:"b"`
	Want      report.SampleBits `json:"want"`
	Differs   report.SampleBits `json:"differs"`
	More      int               `json:"later_steps"`
}

// WriteJSON writes the differences as JSON, with this version of the bench.
func (r *RunPair) WriteJSON(w io.Writer, bench string) (Conclusion, error) {
	d := diffDocument{DocumentHead: files.NewDocumentHead(bench), A: r.side(0), B: r.side(1), Changed: []changePart{},
		Lines: []linePart{}, Differences: []differencePart{}}
	kinds := differences{RunPair: r, shown: map[any]bool{}, tell: func(f *Difference) {
		d.Differences = append(d.Differences, f.part(r.Tiles[0]))
	}}
	sum, err := r.sum(kinds.add)
	if err != nil {
		return Undecided, err
	}
	d.Conclusion, d.More = r.conclude(sum), kinds.hidden
	d.Same = d.Conclusion == Same
	d.fill(sum)
	return d.Conclusion, files.WriteDocument(w, d)
}

func (r *RunPair) side(i int) sidePart {
	rec := r.Recordings[i]
	return sidePart{r.Names[i], rec.Start.Transport, rec.Start.Identity, rec.Start.Time, rec.CutReason, rec.Start.Tags}
}

func (d *diffDocument) fill(s *Summary) {
	d.Pairs, d.Differ, d.Cut, d.OpenOnly = s.Pairs, s.DifferingPairs, s.IncompletePairs, s.UnknownOnlySteps
	d.OnlyA, d.OnlyB, d.OtherSteps = list(s.OnlyA), list(s.OnlyB), list(s.OtherSteps)
	d.ExecutionsOnlyA, d.ExecutionsOnlyB = s.ExecutionsOnlyA, s.ExecutionsOnlyB
	for _, v := range s.ChangedVectors() {
		d.Changed = append(d.Changed, changePart{v.Name, v.A.Verdict().String(), v.B.Verdict().String()})
	}
	for i, l := range s.Lines {
		if l.Steps > 0 {
			d.Lines = append(d.Lines, linePart{transport.Lines[transport.UO+i], l.Steps, l.WrongA, l.WrongB})
		}
	}
}

// list returns a non-nil list.
func list(of []string) []string { return append([]string{}, of...) }

func (f *Difference) part(t tile.Tile) differencePart {
	return differencePart{f.Vector, f.Iteration, f.Index + 1, f.Steps, tile.Describe(t, f.Step),
		report.NewPins(f.Step), report.NewSampleBits(f.A), report.NewSampleBits(f.B), report.NewSampleBits(f.Want),
		report.NewSampleBits(transport.Sample{Out: f.OutDiff, IO: f.IODiff}), f.LaterSteps}
}
