package station

import (
	"flag"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/runs/report"
)

// An Option is a field of a Target as users name it: on the command line of bench, in its settings, and in the words
// by which a run is repeated.
type Option struct {
	Name  string
	Field any // of the Target: a *string, *[]string, *bool, *uint64 or *time.Duration
	Help  string
}

// deciding are the options that decide what runs on this machine, since Verilog runs what its author wants.
var deciding = []string{"define", "simulator", "tile"}

// Decides reports whether an option decides what runs on this machine.
func Decides(option string) bool { return slices.Contains(deciding, option) }

// Options returns all options by name, except the transport. An option in the Options of some Kinds is ignored by the
// others.
func (t *Target) Options() []Option {
	s := &t.Simulation
	return []Option{
		{"at", &t.Speed.At, "run at this `CLOCK`: 20MHz, 50ns, or author for the tile's own"},
		{"board", &t.Board, "pin map: a `NAME` of bench board, or a YAML file"},
		{"define", &s.Defines, "verilog: a macro `NAME[=VALUE]`; repeatable"},
		{"design", &t.Design, "`DESIGN` to select on the chip, by name or number, or none"},
		{"fault", &t.Faults, "`FAULT` of the mock, e.g. uo3=stuck1; see bench explain fault"},
		{"insist", &t.Insist, "override safety checks, such as of a dangerous or of another design"},
		{"lead", &t.Speed.Lead, "with --at: `TIME` from new inputs to the rising edge"},
		{"pulse", &t.Pulse, "gpio, rp2040: least `TIME` of half a clock pulse"},
		{"revision", &t.Revision, "`REVISION` to compare with (default: by the chip's ROM or the board)"},
		{"sample", &t.Speed.Sample, "with --at: `TIME` from the rising edge to the sample"},
		{"seed", &t.Seed, "seed of what is random (default: a new one, printed)"},
		{"settle", &t.Settle, "gpio, rp2040: least `TIME` for levels to settle"},
		{"simulator", &s.Simulator, "verilog: the `PROGRAM` icarus, verilator or auto"},
		{"tile", &t.TileName, "the design: `FOLDER` with info.yaml, NAME.v, FILE.pack:NAME or " +
			strings.Join(TileNames(), " or ")},
	}
}

// Words returns the target as words of a command line of bench: its transport, and each option that the transport uses
// and that differs from its default.
func (t *Target) Words() []string {
	words, usual := []string{"-t", t.Transport}, New("")
	k, _, _ := t.Kind()
	if t.Serial != nil { // a browser's port has no name elsewhere
		words[1] = k.Name
	}
	for i, o := range t.Options() {
		if t.has(&k, o.Name) && !reflect.DeepEqual(o.Field, usual.Options()[i].Field) {
			words = append(words, o.words()...)
		}
	}
	return words
}

// Parse sets options by words, as Words wrote them, and returns their names.
func (t *Target) Parse(words []string) (names []string, err error) {
	f := flag.NewFlagSet("", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&t.Transport, "t", t.Transport, "")
	for _, o := range t.Options() {
		switch field := o.Field.(type) {
		case *string:
			f.StringVar(field, o.Name, *field, "")
		case *[]string:
			f.Func(o.Name, "", func(value string) error { *field = append(*field, value); return nil })
		case *bool:
			f.BoolVar(field, o.Name, *field, "")
		case *uint64:
			f.Uint64Var(field, o.Name, *field, "")
		case *time.Duration:
			f.DurationVar(field, o.Name, *field, "")
		}
	}
	if f.Parse(words) != nil || f.NArg() > 0 {
		return nil, failure.Usagef("it says %q of how its chip is reached, which this bench does not know: give -t",
			strings.Join(words, " "))
	}
	f.Visit(func(f *flag.Flag) { names = append(names, f.Name) })
	return names, nil
}

// Bring takes the target of a recorded run, except for options that the user has given; a transport that is given is
// another target. It reports whether the target is the run's, unchanged.
func (t *Target) Bring(run string, start *report.Start, given func(option string) bool) (same bool, err error) {
	switch foreign := t.foreign(start.Target, given); {
	case given("transport"):
		return false, nil
	case start.Kind == "":
		return false, failure.Usagef("%s: it was recorded by an older bench, which did not say how its chip is "+
			"reached: give -t, and what else names it", run)
	case foreign != nil && !OwnRun(run): // whose author decides nothing that runs on this machine
		return false, failure.Usagef("%s: it is not a run of your history, and its target decides what runs on this "+
			"machine (%s): if you trust it, give -t and the rest yourself", run, strings.Join(foreign, " "))
	}
	same, err = t.bring(start.Target, given)
	if err != nil {
		err = fmt.Errorf("%s: %w", run, err)
	}
	return same, err
}

func (t *Target) bring(words []string, given func(option string) bool) (same bool, err error) {
	of := New("")
	names, err := of.Parse(words)
	if err != nil {
		return false, err
	}
	t.Transport, same = of.Transport, true
	for i, o := range t.Options() {
		if !given(o.Name) {
			o.Set(of.Options()[i])
		} else if slices.Contains(names, o.Name) {
			same = false
		}
	}
	return same, nil
}

// foreign returns the options in words that decide what runs on this machine, except those given by its user.
func (t *Target) foreign(words []string, given func(option string) bool) (foreign []string) {
	of := New("")
	of.Kinds = t.Kinds
	names, err := of.Parse(words)
	if err != nil {
		return nil // which bring says
	}
	for _, o := range of.Options() {
		if Decides(o.Name) && slices.Contains(names, o.Name) && !given(o.Name) {
			foreign = append(foreign, "--"+o.Name+"="+strings.Join(o.words()[1:], ","))
		}
	}
	if k, _, err := of.Kind(); err == nil && k.Foreign && !given("transport") {
		foreign = append(foreign, "--transport="+of.Transport)
	}
	return foreign
}

// With returns the target with another transport, and without the options that this one ignores.
func (t *Target) With(transport string) Target {
	of, usual := *t, New(transport)
	of.Transport = transport
	for i, o := range of.Options() {
		if !of.Uses(o.Name) {
			o.Set(usual.Options()[i])
		}
	}
	return of
}

// Uses reports whether the target's transport uses an option with its present value.
func (t *Target) Uses(option string) bool {
	k, _, err := t.Kind()
	switch {
	case err != nil:
		return true // which is for Check to say
	case option == "fault":
		return k.Faults != nil
	case option == "board":
		b, err := boards.Open(t.Board)
		return err != nil || b.Transport == k.Name // likewise
	}
	return t.has(&k, option)
}

// CheckUse refuses an option that the target's transport ignores.
func (t *Target) CheckUse(option string) error {
	k, _, err := t.Kind()
	if err != nil || t.has(&k, option) {
		return err
	}
	return failure.Usagef("--%s is for the transport %s, and this one is %s: choose with --transport", option,
		strings.Join(t.kindsWith(option), " or "), k.Name)
}

// has reports whether a kind has an option. One that no kind has is for all.
func (t *Target) has(k *Kind, option string) bool {
	return slices.Contains(k.Options, option) || t.kindsWith(option) == nil
}

func (t *Target) kindsWith(option string) (names []string) {
	for _, k := range t.kinds() {
		if slices.Contains(k.Options, option) {
			names = append(names, k.Name)
		}
	}
	return names
}

// Set gives the option the value that it has in another target.
func (o Option) Set(from Option) {
	reflect.ValueOf(o.Field).Elem().Set(reflect.ValueOf(from.Field).Elem())
}

// words returns the option as words of a command line.
func (o Option) words() (all []string) {
	switch field := o.Field.(type) {
	case *bool:
		return []string{"--" + o.Name}
	case *[]string:
		for _, value := range *field {
			all = append(all, "--"+o.Name, value)
		}
		return all
	}
	return []string{"--" + o.Name, fmt.Sprint(reflect.ValueOf(o.Field).Elem())}
}
