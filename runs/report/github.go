package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"utfbench/driver"
)

// GitHub is a Reporter for a GitHub workflow: it annotates failures and the verdict, and writes Text into the summary.
type GitHub struct {
	Out     io.Writer // the output of the workflow's step, which GitHub searches for annotations
	Summary io.Writer // Markdown; may be nil

	text  Text
	words bytes.Buffer
	kinds map[FailureKind]bool
}

// maxAnnotations is the maximum number of annotations per level that GitHub shows for a step, including the verdict's.
const maxAnnotations = 10

func (g *GitHub) Start(r Run) error {
	g.kinds, g.text = map[FailureKind]bool{}, Text{Out: &g.words}
	return g.text.Start(r)
}

func (g *GitHub) Result(r *driver.Result) error {
	kind := FailureKindOf(r)
	if r.Verdict.Row().Detailed && !g.kinds[kind] && len(g.kinds) < maxAnnotations-1 {
		g.kinds[kind] = true
		if err := g.annotate("error", place(r), fmt.Sprintf("%s %s", r.Verdict, r.Vector.Name), what(r)); err != nil {
			return err
		}
	}
	return g.text.Result(r)
}

// what describes a failure in a few lines.
func what(r *driver.Result) string {
	if r.Divergence() == nil {
		return r.Reason
	}
	return strings.Join(ExplainDivergence(r), "\n")
}

// own reports whether a vector is in a user's file.
func own(r *driver.Result) bool {
	_, err := os.Stat(r.File)
	return err == nil
}

// place returns a vector's position in a user's file, or "".
func place(r *driver.Result) string {
	if !own(r) {
		return ""
	}
	return fmt.Sprintf("file=%s,line=%d,", property(r.File), r.Vector.Line)
}

func (g *GitHub) annotate(level, at, title, words string) error {
	_, err := fmt.Fprintf(g.Out, "::%s %stitle=%s::%s\n", level, at, property(title), data(words))
	return err
}

var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func data(s string) string     { return escapeData.Replace(s) }
func property(s string) string { return escapeProperty.Replace(s) }

func (g *GitHub) End(o Outcome) error {
	if err := g.text.End(o); err != nil {
		return err
	}
	run, v := &g.text.run, o.Verdict()
	meaning, title := Meaning(run, o), fmt.Sprintf("%s: %s", v, run.Transport)
	if err := g.annotate(v.Row().Level, "", title, meaning); err != nil || g.Summary == nil {
		return err
	}
	fence := "```"
	for strings.Contains(g.words.String(), fence) {
		fence += "`"
	}
	_, err := fmt.Fprintf(g.Summary, "### %s\n\n%s\n\n%s\n%s%s\n", v, ascii(meaning), fence, &g.words, fence)
	return err
}
