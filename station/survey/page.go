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
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile/pack"
)

//go:embed page.html
var pageFiles embed.FS

// A Page is the result of a survey. It can be written as a table or as an HTML file.
type Page struct {
	Head        FileHead
	Pack        *pack.Pack
	Rows        []Row
	DesignCount int // number of designs to judge; exceeds the rows if the survey was stopped
	// NoChipNote ends the sentence on the verdicts if no chip was tested; see report.Chip.
	NoChipNote string
	Ended      time.Time
}

// Page returns the result of the survey.
func (s *Survey) Page(rows []Row) *Page {
	k, _, _ := s.Target.FindKind() // Run has found the kind
	return &Page{Head: s.head(), Pack: s.Pack, Rows: rows, DesignCount: len(s.Designs()),
		NoChipNote: (&report.Chip{Kind: k.Name}).NoChipNote(), Ended: time.Now()}
}

// WriteText writes a row for each design, and the counts of verdicts.
func (p *Page) WriteText(w io.Writer) error {
	designs := printable.Count(p.DesignCount, "design")
	if done := len(p.Rows); done < p.DesignCount {
		designs = fmt.Sprintf("%d of %s", done, designs)
	}
	fmt.Fprintf(w, "%s: %s on %s\n\n", p.Pack.Path, designs, p.Head.Transport)
	t := printable.NewTable("design", "verdict", "bits compared", "coverage", "first difference, or reason")
	for _, r := range p.Rows {
		t.Row(r.Design, r.Verdict, r.ComparedBits, r.CoverageText(), r.Explanation())
	}
	if err := t.Write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s%s\n", p.CountVerdicts(), p.NoChipNote)
	return err
}

// Write writes the page, the most severe verdicts first.
func (p *Page) Write(w io.Writer) error {
	style := func() template.CSS { return template.CSS(report.StyleSheet()) } // html/template does not change it
	t, err := template.New("page.html").Funcs(template.FuncMap{"style": style, "lower": strings.ToLower,
		"base": filepath.Base}).ParseFS(pageFiles, "page.html")
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

// Entries returns the rows with their designs, the most severe verdicts first.
func (p *Page) Entries() (all []entry) {
	for _, r := range p.Rows {
		if d, err := p.Pack.Find(r.Design); err == nil { // rows from another pack were refused
			all = append(all, entry{r, d})
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int {
		return slices.Index(order, a.Verdict) - slices.Index(order, b.Verdict)
	})
	return all
}

// CountVerdicts returns the number of designs with each verdict.
func (p *Page) CountVerdicts() VerdictCounts {
	c := VerdictCounts{}
	for _, r := range p.Rows {
		c[r.Verdict]++
	}
	return c
}

// CountProved returns the number of designs that passed with all inputs.
func (p *Page) CountProved() (n int) {
	for _, r := range p.Rows {
		if r.ProvedInputs > 0 && r.Verdict == driver.Pass.String() {
			n++
		}
	}
	return n
}

// Feedback returns a line for the target and one for each design, in the terms in which Tiny Tapeout collects results.
func (p *Page) Feedback() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n", p.Head.TargetText(), p.NoChipNote)
	rehearsed := ""
	if p.NoChipNote != "" {
		rehearsed = "rehearsed, no chip: "
	}
	for _, r := range p.Rows {
		fmt.Fprintf(&b, "%s: %s%s\n", r.Design, rehearsed, r.feedback())
	}
	return b.String()
}

// feedback returns working, partial or broken, or the reason why the state of the design is unknown.
func (r *Row) feedback() string {
	wired := ""
	if strings.Contains(r.Cause, ifWires) {
		wired = ", or wired wrongly"
	}
	switch {
	case r.Verdict == driver.Pass.String():
		return "working"
	case r.Verdict == driver.Weak.String():
		return "no difference found, but " + r.Reason
	case r.Verdict == driver.Fail.String() && r.FailedVectors < r.Vectors:
		return "partial" + wired + ": " + r.Explanation()
	case r.Verdict == driver.Fail.String():
		return "broken" + wired + ": " + r.Explanation()
	}
	return "not tested: " + cmp.Or(r.Reason, r.Verdict)
}
