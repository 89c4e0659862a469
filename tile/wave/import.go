package wave

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/tile"
)

// Import converts the waveform at path to a suite, by the given rule or the one that fits. The error reports bad input,
// is a *NoFitError, or comes from the reference.
func Import(t tile.Tile, path, name string, o Options) (*Suite, error) {
	w, digest, err := open(path, o)
	if err != nil {
		if p := (*fs.PathError)(nil); errors.As(err, &p) { // the error also contains the path
			err = p.Err
		}
		return nil, failure.Usagef("%s: %w", path, err)
	}
	s := &Suite{Name: name, File: filepath.Base(path), Digest: digest, Wave: w, Release: o.Release}
	if err := s.choose(t, o.Rule); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.Parts, err = w.Parts(t, s.Fit); err != nil {
		return nil, err
	}
	s.settle(t)
	return s, nil
}

// choose determines the rule and measures its fit over the whole waveform.
func (s *Suite) choose(t tile.Tile, given *Rule) (err error) {
	if given != nil {
		s.Fit.Rule = *given
	} else if s.Fit, s.Ambiguous, err = s.Wave.Calibrate(t); err != nil {
		return err
	}
	if s.Fit, err = measure(t, s.Fit.Rule, s.Wave.Pieces[s.Fit.Rule]); err == nil && s.Fit.WrongSteps > 0 {
		err = &NoFitError{[]Fit{s.Fit}, s.Wave, t.Name()}
	}
	return err
}

// open reads a VCD, and returns its SHA-256.
func open(path string, o Options) (w *Wave, digest string, err error) {
	in, err := files.Waveform.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer in.Close()
	sum := sha256.New()
	whole := bufio.NewReader(io.TeeReader(in, sum))
	begin, _ := whole.Peek(len(fstMagic)) // a shorter file is not an FST
	if bytes.HasPrefix(begin, fstMagic) {
		return nil, "", failure.Usagef("this is an FST, and import reads a VCD: GTKWave's fst2vcd converts it")
	}
	if w, err = Read(whole, o); err == nil {
		_, err = io.Copy(io.Discard, whole)
	}
	return w, hex.EncodeToString(sum.Sum(nil)), err
}

// Summary returns lines that describe the suite and the waveform's oddities. Call it after Write.
func (s *Suite) Summary() []string {
	steps := 0
	for _, p := range s.Parts {
		steps += len(p)
	}
	how := fmt.Sprintf("inputs that change at an edge come %s it", s.Fit.Rule)
	switch {
	case s.Ambiguous:
		how += fmt.Sprintf("; %s it would fit as well", 1-s.Fit.Rule)
	case s.Wave.Oddities.EdgeChanges == 0:
		how = "no input changes with a rising clk"
	}
	same := fmt.Sprintf("the tile's gates show the same at all %d steps that compare a bit; the vectors check %d of "+
		"the %d output bits that the waveform knows at their steps", s.Fit.Steps, s.CheckedBits, s.known())
	if !s.HasComparedBits() {
		same = fmt.Sprintf("the tile's gates know none of the %d output bits that the waveform knows", s.known())
	}
	lines := []string{
		fmt.Sprintf("%s: %d clocks at %s, as %d steps in %s (a run adds a reset to each); %s", s.File, s.Wave.Clocks,
			s.Wave.Scope, steps, printable.Count(len(s.Parts), "vector"), how), same}
	if s.Fit.UnknownToReference > 0 {
		lines = append(lines, fmt.Sprintf("note: %d bits depend on the state at power-up, or on the order of inputs "+
			"that change at once, and are not checked", s.Fit.UnknownToReference))
	}
	if n := s.UncheckedBits(); n > 0 {
		lines = append(lines, fmt.Sprintf("note: %d bits are not checked, since they depend on levels that the test "+
			"put on lines of uio while the tile drove them: the bench releases such lines", n))
	}
	if n := s.LingeringSteps; n > 0 {
		lines = append(lines, "note: "+printable.Count(n, "lingering step")+
			": the bench drives lines of uio until the edge by which the tile takes them over, which a Raspberry Pi "+
			"cannot do (--release)")
	}
	for _, note := range s.Wave.Notes() {
		lines = append(lines, "note: "+note)
	}
	return lines
}

// HasComparedBits reports whether any bit is known to both waveform and gates.
func (s *Suite) HasComparedBits() bool { return s.Fit.KnownBits > 0 }

// Weakness returns, after Write, why passing would prove little, or "" if half of the waveform's bits are checked.
func (s *Suite) Weakness() string {
	switch {
	case !s.HasComparedBits():
		return "nothing was compared: the waveform is of another tile, or no reset sets the state that its outputs show"
	case 2*s.CheckedBits >= s.known():
		return ""
	}
	return fmt.Sprintf("the vectors check only %d of the %d output bits that the waveform knows", s.CheckedBits,
		s.known())
}

// known returns the number of output bits that the waveform knows, checked or not.
func (s *Suite) known() int { return s.CheckedBits + s.UncheckedBits() + s.Fit.UnknownToReference }

var unnameable = printable.LazyRegexp(`[^A-Za-z0-9._+-]+`)

// SuiteName returns the name of a waveform's suite: the file's base name, with - for characters not allowed in names.
func SuiteName(path string) string {
	base := filepath.Base(path)
	name := unnameable().ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), "-")
	return cmp.Or(strings.Trim(name, "-"), "waveform")
}

// ParseRule parses "before" or "after". For "" it returns nil, so that the waveform determines the rule.
func ParseRule(text string) (*Rule, error) {
	rule := map[string]Rule{"before": BeforeEdge, "after": AfterEdge}
	if of, known := rule[text]; known {
		return &of, nil
	} else if text != "" {
		return nil, failure.Usagef("%q: allowed are before and after", text)
	}
	return nil, nil
}
