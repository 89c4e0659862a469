package explain

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"utfbench/cause/minimise"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// A Minimisation looks for the shortest sequence that still fails on a chip.
type Minimisation struct {
	From    string // what the steps are of
	Against string // what their run was compared with; "" is the tile's own reference
	Next    string // the command that explains a recorded failure by chance; "" for a vector
	Steps   []transport.Step
	Timeout time.Duration
	OutFile string // the file for the vector; "" is the writer of Run
	JSON    bool   // write a document in place of text

	Progress   func(left, applied int) // may be nil
	OnSearched func()                  // called after the search; may be nil
}

// A FailingChip is the chip on which a sequence is minimised.
type FailingChip struct {
	transport.Transport
	Tile    tile.Tile                      // to compare with
	Command func(words ...string) []string // the words of a command of bench for the chip
}

// Run searches, closes the chip, and writes the shortest vector so far. About is the head of a document.
func (m *Minimisation) Run(ctx context.Context, c *FailingChip, about report.About, w io.Writer) error {
	if why := gates.MissingReference(c.Tile); why != nil {
		return fmt.Errorf("%s has no gates to compare with: %w", c.Tile.Name(), why)
	}
	search := minimise.Search{Transport: c.Transport, Tile: c.Tile, Progress: m.Progress}
	r, err := search.RunWithin(ctx, m.Timeout, m.Steps)
	if m.OnSearched != nil {
		m.OnSearched()
	}
	if errors.Is(err, minimise.ErrPasses) {
		by := ""
		if m.Against != "" {
			by = fmt.Sprintf(": the run was compared with %s, and minimise compares with %s",
				m.Against, tile.ReferenceOf(c.Tile.Revision()))
		}
		return failure.Newf(failure.Nothing, "%s does not fail %s, so there is nothing to minimise%s", c, m.From, by)
	}
	if _, is := errors.AsType[*minimise.IntermittentError](err); is && m.Next != "" {
		err = fmt.Errorf("%w; %s looks for what explains it", err, m.Next)
	}
	if cerr := c.Close(); cerr != nil && err == nil {
		err = fmt.Errorf("parking the chip: %w", cerr)
	}
	if r != nil {
		if err := m.Write(w, c, about, r); err != nil {
			return err
		}
	}
	if stopped, is := errors.AsType[minimise.StoppedError](err); is {
		return failure.New(failure.Interrupted, stopped)
	}
	return failure.New(failure.Bench, err)
}

// Write writes the vector and a summary. Without a file, or if it can no longer be written since the search may have
// taken long, both go to w, the summary as comments.
func (m *Minimisation) Write(w io.Writer, c *FailingChip, about report.About, r *minimise.Result) error {
	var text bytes.Buffer
	if err := r.WriteVector(&text, m.From, c.String(), c.Tile); err != nil {
		return err
	}
	var err error
	if m.OutFile != "" {
		err = files.Write(m.OutFile, text.Bytes(), 0)
	}
	lost := func(where string) error {
		if err == nil {
			return nil
		}
		return failure.New(failure.Bench, fmt.Errorf("--out: %w; the vector is %s", err, where))
	}
	switch {
	case m.JSON:
		return cmp.Or(WriteMinimisedJSON(w, about, c.Tile, r, m.From, len(m.Steps), text.String()),
			lost("in what --json printed"))
	case m.OutFile == "" || err != nil:
		var about bytes.Buffer
		WriteMinimised(&about, c.Tile, r, m.From, len(m.Steps))
		for line := range strings.Lines(about.String()) {
			text.WriteString("# " + line)
		}
		text.WriteString("# --out FILE.vec writes this file, and prints the command that runs it\n")
		_, werr := w.Write(text.Bytes())
		return cmp.Or(lost("on standard output instead"), werr)
	}
	WriteMinimised(w, c.Tile, r, m.From, len(m.Steps))
	again := []string{"run", "--file", m.OutFile}
	if n := r.Rate.Repetitions(); n > 1 {
		again = append(again, "--count", strconv.Itoa(n))
	}
	report.WriteSuggestions(w, []report.Suggestion{{Args: c.Command(again...), Purpose: "fails again"}})
	return nil
}
