package matrix

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"utfbench/driver"
	"utfbench/runs/page"
)

// MaxOnPage is the maximum number of differing vectors on a page.
const MaxOnPage = 500

//go:embed page.html
var text string

// style returns the pages' CSS, which html/template must not escape.
func style() template.CSS { return template.CSS(page.Style()) }

var tablePage = template.Must(template.New("matrix").Funcs(template.FuncMap{"style": style,
	"lower": func(v driver.Verdict) string { return strings.ToLower(v.String()) }, "took": Took,
	"number": func(i int) int { return i + 1 },
	"count":  func(c *Column, v driver.Verdict) int { n := c.Counts(); return n[v] },
}).Parse(text))

// HTML writes the table as one self-contained page.
func (t *Table) HTML(w io.Writer) error {
	differing := t.Differing()
	shown := differing[:min(len(differing), MaxOnPage)]
	return tablePage.Execute(w, map[string]any{"Table": t, "Verdict": t.Verdict(), "Meaning": t.Meaning(),
		"Conclusion": t.Conclusion(), "Against": t.against(), "Verdicts": t.shown(), "Reference": t.against() == "",
		"Rows": shown, "Hidden": len(differing) - len(shown)})
}
