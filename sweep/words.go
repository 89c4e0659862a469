package sweep

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
)

// mostListed is the maximum number of blocks and events in a text.
const mostListed = 10

// Extent describes the range: "5 blocks", or "blocks 0 to 4 of 9".
func (r *Runner) Extent() string {
	if r.Range.First == 0 && r.Range.End == r.Space.Blocks() {
		return printable.Count(r.Range.End, "block")
	}
	return fmt.Sprintf("%s of %d", r.Range, r.Space.Blocks())
}

// Rate formats a speed.
func Rate(steps int, took time.Duration) string {
	rate := float64(steps) / took.Seconds()
	switch {
	case rate >= 1e6:
		return fmt.Sprintf("%.1f M steps/s", rate/1e6)
	case rate >= 1e3:
		return fmt.Sprintf("%.1f k steps/s", rate/1e3)
	}
	return fmt.Sprintf("%.0f steps/s", rate)
}

// WriteStart describes the sweep, its target, notes, and earlier work.
func (s *Session) WriteStart(w io.Writer, who string, notes []string) {
	fmt.Fprintf(w, "%s, compared with the %s model: %s, %s\n", who, s.Tile.Revision(), s.Head.Space, s.Extent())
	if with := s.Head.Made[0].Tags; len(with) > 0 {
		fmt.Fprintf(w, "  tags: %s\n", with)
	}
	for _, note := range append(slices.Clone(notes), s.Before()) {
		if note != "" {
			fmt.Fprintf(w, "  %s\n", note)
		}
	}
}

// Before describes earlier work, if any.
func (s *Session) Before() string {
	done := len(s.Blocks())
	if done == 0 {
		return ""
	}
	return fmt.Sprintf("%s done before, says %s", printable.Count(done, "block"), s.State)
}

// Left describes the progress of a stopped sweep and how to resume it. flags are additional flags for that command,
// each after a space.
func (s *Session) Left(done int, flags string) string {
	kept := "they are not kept: give it a --certificate or a --state"
	if s.journal != nil {
		kept = "the same command" + flags + " goes on from there, by " + s.State
	}
	return fmt.Sprintf("%d of %s done; %s", done, printable.Count(s.Head.Count, "block"), kept)
}

// mostWrong is the maximum number of a board's wrong blocks in a line.
const mostWrong = 8

// WriteShares writes each lab board's share, and the blocks on which two boards differ.
func (s *Session) WriteShares(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, b := range s.queue.shares() {
		wrong := ""
		if n := len(b.Wrong); n > 0 {
			wrong = "\twrong: block " + strings.Trim(fmt.Sprint(b.Wrong[:min(n, mostWrong)]), "[]")
			if n > mostWrong {
				wrong += fmt.Sprintf(" and %d more", n-mostWrong)
			}
		}
		fmt.Fprintf(table, "%s\t%s%s\n", b.Board, printable.Count(b.Blocks, "block"), wrong)
	}
	for _, f := range s.Findings() {
		fmt.Fprintln(table, f.Error())
	}
	return table.Flush()
}

// End writes the first failure, keeps the certificate, and writes the verdict. hint is as in WriteVerdict.
func (s *Session) End(w io.Writer, c *Certificate, hint string) error {
	if err := c.WriteFailure(w, s.Space, s.Tile); err != nil {
		return err
	}
	if err := s.Keep(c); err != nil {
		return err
	}
	s.WriteVerdict(w, c, hint)
	return nil
}

// WriteVerdict writes the result, with the verdict in its last line. An optional hint precedes a FAIL.
func (s *Session) WriteVerdict(w io.Writer, c *Certificate, hint string) {
	asked := &s.Head.Made[0].Chip
	cases, steps := c.Size()
	rate := fmt.Sprintf("%d steps in %s, %s", steps-s.steps, s.took.Round(time.Millisecond),
		Rate(steps-s.steps, s.took))
	before := ""
	if s.cases > 0 {
		before = fmt.Sprintf(" (%d judged before)", s.cases)
	}
	if s.Certificate != "" && len(c.Blocks) == s.Head.Count {
		fmt.Fprintf(w, "certificate in %s, root %x\n", s.Certificate, c.Root())
	}
	if n := c.Signed(); n > 0 {
		fmt.Fprintf(w, "%d cases were generated and signed by the far end, CRC-32; the steps of %d were carried\n", n,
			cases-n)
	}
	switch c.Verdict() {
	case driver.Fail:
		why := ""
		if n := s.Head.Count - len(c.Blocks); n > 0 {
			why = fmt.Sprintf("; %s not started because of --max-failures, so there is no certificate",
				printable.Count(n, "block"))
		}
		if hint != "" {
			fmt.Fprintln(w, hint)
		}
		fmt.Fprintf(w, "FAIL  %s is at fault: %d of %d cases%s differ from the model, %s%s%s\n", s.culprit(),
			c.Failed(), cases, before, rate, why, asked.Unasked())
	case driver.Flaky:
		fmt.Fprintf(w, "FLAKY %s is unsteady: %s signed wrong, but all steps right when carried, %s%s\n",
			asked.Culprit(), printable.Plural(c.Unsteady(), "stretch", "stretches"), rate, asked.Unasked())
	default:
		fmt.Fprintf(w, "PASS  %s answered %d cases%s as the model says: %s%s\n", asked.Answerer(), cases, before,
			rate, asked.Unasked())
	}
}

// culprit names the boards at fault, if every wrong block is right on another board.
func (s *Session) culprit() string {
	var names []string
	for _, f := range s.Findings() {
		if c := f.Culprit(); c != nil && !slices.Contains(names, c.Transport) {
			names = append(names, c.Transport)
		}
	}
	if len(names) == 0 || s.queue.failed > 0 {
		return s.Head.Made[0].Culprit()
	}
	return strings.Join(names, " and ")
}

// WriteFailure prints the first case that differs, in words and in bits, and the blocks with such cases. It prints
// nothing if none differ.
func (c *Certificate) WriteFailure(w io.Writer, space tile.Space, t tile.Tile) error {
	f, err := FirstFailure(space, t, c.Blocks)
	if f == nil {
		return err
	}
	fmt.Fprintf(w, "FAIL    %s\n", f.Case)
	if in, ok := t.(tile.Conversation); ok {
		wrote, read, want := in.Dialogue(f.Trace.Steps, f.Trace.Got, f.Trace.Want)
		if wrote != "" {
			fmt.Fprintf(w, "        wrote %s\n", wrote)
		}
		fmt.Fprintf(w, "        read  %s\n", read)
		if read == want {
			want = "the same: the data are right, the levels below are not"
		}
		fmt.Fprintf(w, "        want  %s\n", want)
	}
	for _, line := range report.Explain(&f.Result) {
		fmt.Fprintf(w, "        %s\n", line)
	}
	shown := 0
	for _, b := range c.Blocks {
		if b.Failed == 0 {
			continue
		}
		if shown++; shown <= mostListed {
			fmt.Fprintf(w, "        block %d, %s: %d of %d cases differ\n", b.Number, space.Words(b.Number),
				b.Failed, b.Cases)
		}
	}
	if shown > mostListed {
		fmt.Fprintf(w, "        and %s more\n", printable.Count(shown-mostListed, "block"))
	}
	return nil
}

// WriteHead describes a certificate's subject and origin, and whether the vectors have changed since.
func (c *Certificate) WriteHead(w io.Writer, vectors Hash) {
	h, part := &c.Head, ""
	if !h.Whole() {
		part = fmt.Sprintf(", only %s of %d", h.Range(), h.Of)
	}
	fmt.Fprintf(w, "%s, compared with the %s model%s\n", h.Space, h.Revision, part)
	for _, m := range h.Made {
		device := ""
		if m.Device != "" {
			device = ", " + m.Device
		}
		fmt.Fprintf(w, "  made by bench %s with %s, board %s%s\n", m.Bench, m.Transport, m.Board, device+m.Unasked())
		if m.Conditions != "" {
			fmt.Fprintf(w, "    conditions: %s\n", m.Conditions)
		}
		if len(m.Tags) > 0 {
			fmt.Fprintf(w, "    tags: %s\n", m.Tags)
		}
	}
	if vectors != h.Vectors {
		fmt.Fprintf(w, "  the vectors have changed since: they had %x, and have %x\n", h.Vectors, vectors)
	}
}

// WriteDoubts prints Verify's result for a tile's certificate and returns the verdict: FAIL with doubts, FLAKY if all
// of them concern unsteady runs, else PASS.
func (c *Certificate) WriteDoubts(w io.Writer, t tile.Tile, doubts []Doubt) (driver.Verdict, error) {
	unasked := c.Head.Made[0].Unasked()
	if len(doubts) == 0 {
		cases, steps := c.Size()
		if n := c.Signed(); n > 0 {
			fmt.Fprintf(w, "  %d of the cases are confirmed by a CRC-32 signature only: a wrong response slips "+
				"through with probability 2^-32\n", n)
		}
		fmt.Fprintf(w, "PASS  as the model says: %s, %d cases, %d steps, root %x%s\n",
			printable.Count(len(c.Blocks), "block"), cases, steps, c.Root(), unasked)
		return driver.Pass, nil
	}
	for i, d := range doubts {
		if i == mostListed {
			fmt.Fprintf(w, "and %s more\n", printable.Count(len(doubts)-i, "block"))
			break
		}
		fmt.Fprintf(w, "block %d, %s: %s\n", d.Block, d.Words, d.Why)
	}
	if space, t, err := Open(t, c.Head.Scope); err == nil {
		if err := c.WriteFailure(w, space, t); err != nil {
			return driver.Fail, err
		}
	}
	verdict, words := c.doubted(doubts), "FAIL  not as the model says"
	if verdict == driver.Flaky {
		words = "FLAKY unsteady"
	}
	fmt.Fprintf(w, "%s: %d of %s%s\n", words, len(doubts), printable.Count(len(c.Blocks), "block"), unasked)
	return verdict, nil
}

// doubted returns the verdict of Verify's result.
func (c *Certificate) doubted(doubts []Doubt) driver.Verdict {
	switch {
	case len(doubts) == 0:
		return driver.Pass
	case c.Verdict() == driver.Flaky &&
		!slices.ContainsFunc(doubts, func(d Doubt) bool { return c.Blocks[d.Block-c.Head.First].Unsteady == 0 }):
		return driver.Flaky
	}
	return driver.Fail
}

func (b *Block) wrong() string {
	wrong := printable.Count(b.Failed, "case") + " wrong"
	if b.Unsteady > 0 {
		wrong += " and " + printable.Count(b.Unsteady, "run") + " unsteady"
	}
	return wrong
}
