package explain

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/export"
	"utfbench/runs/report"
	"utfbench/tile"
)

// maxDetailed limits the kinds of failure of which an example is shown in full.
const maxDetailed = 12

// maxListed is the maximum number of failing vectors listed by name.
const maxListed = 500

// A Page is a report.Reporter that writes a run's report as a self-contained HTML file, without scripts, fonts or
// network access. It suits light and dark screens, and paper.
type Page struct {
	report.PageOptions
	Explain func() *Explanation // called at the end after a FAIL; may be nil

	run    report.Run
	suites report.Suites
	shown  []*example
	kinds  map[report.FailureKind]*example
	others *printable.Table
	listed int
	hidden int
}

var _ report.Reporter = (*Page)(nil)

// An Explanation is a diagnosis in words. It has no suspects if no hypothesis explains enough.
type Explanation struct {
	Conclusion   string        `json:"conclusion"`
	Reason       string        `json:"why"`                // a sentence
	Verb         string        `json:"-"`                  // introduces the suspects, such as "explained by"
	Suspects     []string      `json:"suspects,omitempty"` // the likeliest first
	Account      string        `json:"account,omitempty"`  // how much the suspects explain, as a sentence
	Facts        []string      `json:"facts,omitempty"`    // facts that do not depend on the cause
	Scope        *search.Scope `json:"searched,omitempty"`
	NeedsSlowRun bool          `json:"-"` // see diagnose.Finding

	several bool // several lines are suspects
}

type example struct {
	*driver.Result
	Like  int // number of other failures of the same kind
	Lines []string
	Wave  markup
}

func (p *Page) Start(run report.Run) error {
	p.run, p.kinds = run, map[report.FailureKind]*example{}
	p.others = printable.NewTable("verdict", "vector", "first divergence, or why")
	return nil
}

func (p *Page) Result(r *driver.Result) error {
	p.suites.Add(r)
	if r.Verdict == driver.Pass || r.Verdict == driver.Skipped {
		return nil
	}
	p.list(r)
	if !r.Verdict.Row().Detailed {
		return nil
	}
	kind := report.FailureKindOf(r)
	if f := p.kinds[kind]; f != nil {
		f.Like++
		return nil
	}
	if len(p.shown) == maxDetailed {
		return nil
	}
	f := &example{Result: r}
	p.kinds[kind], p.shown = f, append(p.shown, f)
	if r.FirstMismatch == nil {
		return nil
	}
	f.Lines = report.ExplainDivergence(r)
	return f.draw()
}

// draw draws the failure's waveform. It must be called while the trace is valid.
func (f *example) draw() error {
	if f.Trace == nil {
		return nil
	}
	var svg bytes.Buffer
	err := export.WriteSVG(&svg, export.AroundDivergence(f.Result))
	f.Wave = markup(svg.String()) // WriteSVG escapes all text in it
	return err
}

func (p *Page) list(r *driver.Result) {
	if p.listed == maxListed {
		p.hidden++
		return
	}
	name, words := r.Vector.Name, r.Reason
	if r.Iteration > 1 {
		name += fmt.Sprintf(" (iteration %d)", r.Iteration)
	}
	if r.FirstMismatch != nil {
		words = fmt.Sprintf("step %d, %s: %s", r.FirstMismatch.Index+1, tile.Describe(r.Tile, r.FirstMismatch.Step),
			report.DescribeDivergence(r))
	}
	p.others.Row(r.Verdict, name, words)
	p.listed++
}

func (p *Page) ended() bool { return p.Context != nil && p.Context.Err() != nil }

func (p *Page) End(o report.Outcome) error {
	var explained *Explanation
	if o.Tally.Verdicts[driver.Fail] > 0 && p.Explain != nil {
		explained = p.Explain()
	}
	if p.ended() && !p.AllowPartial {
		return p.Context.Err()
	}
	sections := p.sections(o, explained)
	_, err := io.WriteString(p.Out, string(join([]markup{`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
`, in("title", text(p.title(o.Verdict()))), "\n<style>\n", markup(report.StyleSheet()), "</style>\n</head>\n<body>\n",
		p.verdict(o), whatToDo(p.todos(o, explained)), contents(sections), each(sections, section.markup),
		"</body>\n</html>\n"})))
	return err
}

func (p *Page) verdict(o report.Outcome) markup {
	v := o.Verdict().String()
	trouble := unless(o.BenchError == "", in("p", in("b", "The bench could not finish:"), " ", text(o.BenchError)))
	return in(`h1 class="`+strings.ToLower(v)+`"`, in("b", text(v)), in("span", text(report.Meaning(&p.run, o)))) +
		in("dl", each(p.head(), func(f fact) markup {
			return in("div", in("dt", text(f.Name)), in("dd", text(f.Value)))
		})) + trouble + unless(o.Hint == "", in(`p style="white-space:pre-line"`, text(o.Hint)))
}

func (p *Page) title(v driver.Verdict) string {
	text := v.String() + ":"
	for _, f := range p.head() {
		if f.Name != "tags" && f.Name != "board's id" {
			text += " " + f.Value + ","
		}
	}
	return strings.TrimSuffix(text, ",")
}

type fact struct{ Name, Value string }

func (p *Page) head() []fact {
	r, number := p.run, p.name()
	if number != "" {
		number = "run " + number
	}
	return known([]fact{{"tile", r.Tile}, {"tested", cmp.Or(p.Origin, r.Transport)}, {"board", r.Board},
		{"board's id", r.Device}, {"when", p.ran().Time.UTC().Format("2006-01-02 15:04 UTC")},
		{"of the history", number}, {"tags", r.Tags.String()}})
}

// ran returns the start of the run on the chip, even if the page shows a replay.
func (p *Page) ran() *report.Start {
	if p.OriginStart != nil {
		return p.OriginStart
	}
	return &report.Start{Time: p.run.Started, Host: p.run.Host, Bench: p.run.Version}
}

func known(facts []fact) []fact {
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Value == "" })
}

func (p *Page) facts(o report.Outcome) []fact {
	r, ran, took, again := p.run, p.ran(), o.Elapsed.Round(time.Millisecond).String(), ""
	if p.OriginStart != nil { // the times of a replay are not the chip's
		took, again = "", r.Started.UTC().Format(time.RFC3339)+" by bench "+r.Version
	}
	count := fmt.Sprint(r.Vectors)
	if r.Iterations > 1 {
		count += fmt.Sprintf(", %d times", cmp.Or(o.Tally.Iterations, r.Iterations))
	}
	return known([]fact{
		{"tested", cmp.Or(p.Origin, r.Transport) + r.NoChipNote()}, {"board", r.Board}, {"board's id", r.Device},
		{"chip's ROM", r.ROM}, {"microcontroller", r.Firmware}, {"design", r.Design},
		{"digest of the design", r.Sources}, {"faults", r.Faults}, {"compared with", r.Reference()},
		{"vectors", count}, {"digest of the vectors", r.Digest}, {"seed", fmt.Sprint(r.Seed)},
		{"started", ran.Time.UTC().Format(time.RFC3339)}, {"took", took}, {"steps", fmt.Sprint(o.Tally.Steps)},
		{"bench", ran.Bench}, {"host", ran.Host}, {"judged again", again}, {"tags", r.Tags.String()},
	})
}
