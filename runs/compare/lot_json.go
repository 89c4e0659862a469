package compare

import (
	"io"

	"utfbench/internal/document"
)

// A lotDocument is the JSON form of a lot; see docs/schemas/lab-run.schema.json.
type lotDocument struct {
	document.Head
	Lab      string      `json:"lab"`
	Tile     string      `json:"tile"`
	Vectors  int         `json:"vectors"`
	Digest   string      `json:"vectors_sha256"`
	Verdict  string      `json:"verdict"`
	Meaning  string      `json:"meaning"`
	Seconds  float64     `json:"seconds"`
	Stopped  bool        `json:"interrupted,omitempty"`
	Golden   *boardPart  `json:"golden"`
	Boards   []boardPart `json:"boards"`
	Yields   []yieldPart `json:"yields"`
	Whole    wholePart   `json:"yield_of_all"`
	Outliers []Outlier   `json:"outliers"`
}

type boardPart struct {
	Board    string             `json:"board"`
	Verdict  string             `json:"verdict"`
	Judged   bool               `json:"judged"`
	Passed   bool               `json:"passed"`
	Away     string             `json:"away,omitempty"`
	Reason   string             `json:"reason,omitempty"`
	Cause    string             `json:"cause,omitempty"`
	Measured map[string]float64 `json:"measured"`
	Runs     []Part             `json:"runs"`
}

type yieldPart struct {
	Revision *string `json:"revision"`
	Judged   int     `json:"judged"`
	First    int     `json:"first_pass"`
	After    int     `json:"after_retest"`
}

// A wholePart is the yield of all boards, whether or not they were judged.
type wholePart struct {
	Boards int `json:"boards"`
	First  int `json:"first_pass"`
	After  int `json:"after_retest"`
}

// JSON writes the lot as one document.
func (l *Lot) JSON(w io.Writer) error {
	d := lotDocument{Head: document.NewHead(l.About.Bench), Lab: l.Where, Tile: l.About.Tile, Vectors: l.About.Vectors,
		Digest: l.About.Digest, Verdict: l.Verdict().String(), Meaning: l.Meaning(),
		Seconds: l.Elapsed.Seconds(), Stopped: l.Interrupted(), Boards: []boardPart{}, Yields: []yieldPart{},
		Outliers: append([]Outlier{}, l.Outliers()...)}
	if l.Golden != nil {
		golden := l.Golden.part()
		d.Golden = &golden
	}
	for _, b := range l.Boards {
		d.Boards = append(d.Boards, b.part())
	}
	for _, y := range l.Yields() {
		p := yieldPart{Judged: y.Judged, First: y.First, After: y.After}
		if y.Of != "" {
			p.Revision = &y.Of
		}
		d.Yields = append(d.Yields, p)
	}
	whole := l.Whole()
	d.Whole = wholePart{whole.Judged, whole.First, whole.After}
	return document.Write(w, d)
}

func (b *Board) part() boardPart {
	p := boardPart{Board: b.Name, Verdict: b.Verdict().String(), Judged: b.Judged(), Passed: b.Passed(), Away: b.Away,
		Reason: b.Reason(), Cause: b.Cause, Measured: b.Measured(), Runs: []Part{}}
	for _, c := range b.Runs {
		p.Runs = append(p.Runs, c.Part())
	}
	return p
}
