package survey

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/runs/explain"
	"utfbench/tile/pack"
)

//go:embed page.html
var pageFiles embed.FS

// A Page is a survey as one HTML file, to publish or to hand on.
type Page struct {
	Head Head
	Pack *pack.Pack
	Rows []Row
	// Unasked ends the sentence of the verdicts if no chip was tested; see report.Chip.
	Unasked string
	Ended   time.Time
}

// Title returns the name of the pack's file.
func (p *Page) Title() string { return strings.TrimSuffix(filepath.Base(p.Pack.Path), ".pack") }

// Write writes the page, the gravest verdicts first.
func (p *Page) Write(w io.Writer) error {
	style := func() template.CSS { return template.CSS(explain.Style()) } // which html/template leaves as it is
	t, err := template.New("page.html").Funcs(template.FuncMap{"style": style, "lower": strings.ToLower}).
		ParseFS(pageFiles, "page.html")
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// An entry is a row of the page's table.
type entry struct {
	Row
	Of *pack.Design
}

// Entries returns the rows with their designs, the gravest verdicts first.
func (p *Page) Entries() (all []entry) {
	for _, r := range p.Rows {
		if d, err := p.Pack.Find(r.Design); err == nil { // rows of another pack are refused earlier
			all = append(all, entry{r, d})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int {
		return slices.Index(order, a.Verdict) - slices.Index(order, b.Verdict)
	})
	return all
}

// Count returns how many designs have each verdict.
func (p *Page) Count() Count { return CountOf(p.Rows) }

// Proved returns the number of designs that passed with all inputs.
func (p *Page) Proved() (n int) {
	for _, r := range p.Rows {
		if r.Proved > 0 && r.Verdict == driver.Pass.String() {
			n++
		}
	}
	return n
}

// Feedback returns a line for each design, in the words by which Tiny Tapeout collects results.
func (p *Page) Feedback() string {
	var b strings.Builder
	for _, r := range p.Rows {
		fmt.Fprintf(&b, "%s: %s\n", r.Design, r.feedback())
	}
	return b.String()
}

// feedback returns working, partial or broken, or the reason why none of them is known.
func (r *Row) feedback() string {
	switch {
	case r.Verdict == driver.Pass.String():
		return "working"
	case r.Verdict == driver.Weak.String():
		return "no difference found, but " + r.Why
	case r.Verdict == driver.Fail.String() && r.Failed < r.Vectors:
		return "partial: " + r.First
	case r.Verdict == driver.Fail.String():
		return "broken: " + r.First
	}
	return "not tested: " + cmp.Or(r.Why, r.Verdict)
}
