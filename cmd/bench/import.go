package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/cmdline"
	"utfbench/internal/files"
	"utfbench/tile/wave"
)

// importOptions are the flags of bench import.
type importOptions struct {
	out, name string
	rule      string
	wave.Options
}

func newImport() *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import WAVE",
		Short: "Make vectors of a simulation's waveform",
		Long: `import cuts a waveform at the pins of the tile into steps, finds out on the tile's own Verilog
whether inputs that move with an edge come before it or after it, and writes a file of vectors that
bench run --file takes. A VCD is read as it is; an FST is read by fst2vcd of GTKWave.

Exit codes: 0 the vectors were written, 2 bad input, 3 the tile's own Verilog does not do what the
waveform shows, 130 interrupted.`,
		Example: `  bench import test/tb.vcd --tile .`,
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "write the vectors to this file (default: the suite's name and .vec)")
	f.StringVar(&o.name, "name", "", "name of the suite (default: the waveform's)")
	f.StringVar(&o.Scope, "scope", "", "where the tile's ports are, as in tb.user_project (default: the innermost "+
		"scope that has all of them)")
	f.StringVar(&o.rule, "edge", "", "inputs that move with a rising clk come before it or after it (default: what "+
		"fits)")
	f.BoolVar(&o.EveryClock, "every-clock", false, "a step for each clock, even if nothing changes in it")
	complete(cmd, "edge", []string{"before", "after"})
	return cmd
}

func (o *importOptions) run(cmd *cobra.Command, path string) error {
	if err := o.check(path); err != nil {
		return err
	}
	out, err := files.Create(o.out, 0)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	defer out.Discard()
	w, digest, err := readWave(cmd, path, o.Options)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s := &wave.Suite{Name: o.name, File: filepath.Base(path), Digest: digest, Scope: w.Scope}
	fit, both, err := o.fit(w)
	switch {
	case wave.IsNoFit(err):
		return benchFault(fmt.Errorf("%s: %w", path, err))
	case err != nil:
		return benchFault(err)
	}
	s.Rule = fit.Rule
	if s.Parts, err = w.Parts(theTile, s.Rule); err != nil {
		return benchFault(err)
	}
	if err := s.Write(out, theTile); err != nil {
		return benchFault(err)
	}
	if err := out.Commit(); err != nil {
		return benchFault(err)
	}
	o.tell(cmd.OutOrStdout(), w, s, fit, both)
	return nil
}

// check completes the flags.
func (o *importOptions) check(path string) error {
	if o.name == "" {
		base := filepath.Base(path)
		o.name = strings.Trim(unnameable.ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), "-"), "-")
	}
	if unnameable.MatchString(o.name) || o.name == "" {
		return fmt.Errorf("--name %q: letters, digits, '.', '_', '+' and '-' are allowed", o.name)
	}
	if o.out == "" {
		o.out = o.name + ".vec"
	}
	switch o.rule {
	case "", "before", "after":
		return nil
	}
	return fmt.Errorf("--edge %q: allowed are before and after", o.rule)
}

var unnameable = regexp.MustCompile(`[^A-Za-z0-9._+-]+`)

// fit is the rule that the user says, or the one that fits, measured over the whole waveform.
func (o *importOptions) fit(w *wave.Wave) (fit wave.Fit, both bool, err error) {
	if o.rule != "" {
		rule := wave.After
		if o.rule == "before" {
			rule = wave.Before
		}
		fit, err = w.Verify(theTile, rule)
	} else if fit, both, err = w.Calibrate(theTile); err == nil {
		fit, err = w.Verify(theTile, fit.Rule)
	}
	if err == nil && fit.Wrong > 0 {
		err = w.Stale(fit)
	}
	return fit, both, err
}

// readWave reads a VCD, or an FST by fst2vcd, and gives its SHA-256.
func readWave(cmd *cobra.Command, path string, o wave.Options) (*wave.Wave, string, error) {
	in, err := files.Waveform.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer in.Close()
	defer working("reading the waveform")()
	digest := sha256.New()
	whole := bufio.NewReader(io.TeeReader(in, digest))
	begin, _ := whole.Peek(16) // a shorter file is no FST
	var w *wave.Wave
	if wave.IsFST(begin) {
		w, err = wave.ReadFST(cmd.Context(), path, o)
	} else {
		w, err = wave.Read(whole, o)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, whole)
	}
	return w, hex.EncodeToString(digest.Sum(nil)), err
}

// tell says what was made and what is odd, and what to do next.
func (o *importOptions) tell(out io.Writer, w *wave.Wave, s *wave.Suite, fit wave.Fit, both bool) {
	steps := 0
	for _, p := range s.Parts {
		steps += len(p)
	}
	how := fmt.Sprintf("inputs that move with an edge come %s it", s.Rule)
	switch {
	case both:
		how += "; the other rule fits as well"
	case w.Odd.Edges == 0:
		how = "no input moves with an edge"
	}
	fmt.Fprintf(out, "%s: %d clocks at %s, as %d steps in %d vectors of %s; %s\n", s.File, w.Clocks, w.Scope, steps,
		len(s.Parts), o.out, how)
	fmt.Fprintf(out, "the tile's own Verilog shows the same at all %d steps; the waveform knows %.1f %% of the outputs' "+
		"bits, and %d of them depend on the state at power-up and are left out\n", fit.Steps, 100*w.Decided(s.Rule),
		fit.Open)
	if s.Released > 0 {
		fmt.Fprintf(out, "note: at %d steps the test drove lines of uio that the tile may drive too, by its state at "+
			"power-up: the bench releases them\n", s.Released)
	}
	for _, note := range w.Notes() {
		fmt.Fprintf(out, "note: %s\n", note)
	}
	fmt.Fprintf(out, "next: %s\n", cmdline.Line("run", "--tile", tileName, "--file", o.out, "-t", "rp2040"))
}
