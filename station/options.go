package station

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/runs/report"
)

// A list is the value of an option that can be given several times. It also implements pflag.SliceValue.
type list []string

func (l *list) String() string             { return strings.Join(*l, ",") }
func (l *list) Set(text string) error      { return l.Append(text) }
func (*list) Type() string                 { return "stringArray" }
func (l *list) GetSlice() []string         { return *l }
func (l *list) Append(text string) error   { *l = append(*l, text); return nil }
func (l *list) Replace(all []string) error { *l = slices.Clone(all); return nil }

// deciding lists the options that select code to run on this machine. Verilog can run any program.
var deciding = []string{"define", "simulator", "tile"}

// SelectsLocalCode reports whether an option selects code to run on this machine.
func SelectsLocalCode(option string) bool { return slices.Contains(deciding, option) }

// Options returns all options except the transport, as flags that set the target's fields. They parse command lines,
// settings and recorded targets. A Kind ignores options that it does not use.
func (t *Target) Options() *flag.FlagSet {
	f, s := flag.NewFlagSet("", flag.ContinueOnError), &t.Simulation
	f.SetOutput(io.Discard)
	text := func(field *string, name, help string) { f.StringVar(field, name, *field, help) }
	text(&t.Speed.Clock, "at", "run at this `CLOCK`: 20MHz, 50ns, or author for the tile's own")
	text(&t.Board, "board", "pin map: a `NAME` of bench board, or a YAML file")
	f.Var((*list)(&s.Defines), "define", "verilog: a macro `NAME[=VALUE]`; repeatable")
	text(&t.Design, "design", "`DESIGN` to select on the chip, by name or number, or none")
	f.Var((*list)(&t.Faults), "fault", "`FAULT` of the mock, e.g. uo3=stuck1; see bench explain fault")
	f.BoolVar(&t.Insist, "insist", t.Insist, "override safety checks, such as of a dangerous or of another design")
	text(&t.Speed.Lead, "lead", "with --at: `TIME` from new inputs to the rising edge")
	f.DurationVar(&t.Pulse, "pulse", t.Pulse, "gpio, rp2040: least `TIME` of half a clock pulse")
	text(&t.Revision, "revision", "`REVISION` to compare with (default: by the chip's ROM or the board)")
	text(&t.Speed.Sample, "sample", "with --at: `TIME` from the rising edge to the sample")
	f.Uint64Var(&t.Seed, "seed", t.Seed, "seed of all that is random: steps, power-up states, faults (default 1, or "+
		"with random faults a new one, printed after a FAIL)")
	f.DurationVar(&t.Settle, "settle", t.Settle, "gpio, rp2040: least `TIME` for levels to settle")
	text(&s.Simulator, "simulator", "verilog: the `PROGRAM` icarus, verilator or auto")
	text(&t.TileName, "tile", "the design: `FOLDER` with info.yaml, NETLIST.v, FILE.pack:NAME or "+
		strings.Join(TileNames(), " or "))
	return f
}

// Args returns bench's arguments for the target: its transport, and the options that it uses and that are set.
func (t *Target) Args() []string {
	words := []string{"-t", t.Transport}
	k, _, _ := t.FindKind()
	if t.OpenSerial != nil { // a port of a browser has no name elsewhere
		words[1] = k.Name
	}
	usual := NewTarget("")
	defaults := usual.Options()
	t.Options().VisitAll(func(f *flag.Flag) {
		if t.has(&k, f.Name) && f.Value.String() != defaults.Lookup(f.Name).Value.String() {
			words = append(words, optionWords(f)...)
		}
	})
	return words
}

func optionWords(f *flag.Flag) (words []string) {
	if _, is := f.Value.(interface{ IsBoolFlag() bool }); is {
		return []string{"--" + f.Name}
	}
	for _, value := range optionValues(f) {
		words = append(words, "--"+f.Name, value)
	}
	return words
}

func optionValues(f *flag.Flag) []string {
	if several, is := f.Value.(*list); is {
		return *several
	}
	return []string{f.Value.String()}
}

func copyOption(to, from *flag.Flag) {
	if several, is := to.Value.(*list); is {
		_ = several.Replace(optionValues(from))
		return
	}
	_ = to.Value.Set(from.Value.String()) // the text of a value is valid
}

// Parse sets options from words that Args has returned, and returns the names of the options.
func (t *Target) Parse(words []string) (names []string, err error) {
	f := t.Options()
	f.StringVar(&t.Transport, "t", t.Transport, "")
	if f.Parse(words) != nil || f.NArg() > 0 {
		return nil, failure.Usagef("it says %q of how its chip is reached, which this bench does not know: give -t",
			strings.Join(words, " "))
	}
	f.Visit(func(f *flag.Flag) { names = append(names, f.Name) })
	return names, nil
}

// ApplyRecorded applies the target of a recorded run, except for options that the user has given. If the user has given
// a transport, the target is another one and takes over only the speed and the waits. same reports whether the result
// is the unchanged target of the run.
func (t *Target) ApplyRecorded(run string, start *report.Start, given func(option string) bool) (same bool, err error) {
	switch foreign := t.foreign(start.Target, given); {
	case given("transport"):
		_, err = t.bring(append([]string{"-t", t.Transport}, strings.Fields(report.ConditionFlags(start.Target))...),
			func(o string) bool {
				return given(o) || !t.UsesOption(o) || report.ConditionFlags([]string{"--" + o, o}) == "" ||
					given("at") && (o == "sample" || o == "lead") // these belong to the recorded clock
			})
		return false, err
	case foreign != nil && !IsOwnRun(run): // another person's file must not select code to run here
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
	of := NewTarget("")
	names, err := of.Parse(words)
	if err != nil {
		return false, err
	}
	t.Transport, same = of.Transport, true
	recorded := of.Options()
	t.Options().VisitAll(func(f *flag.Flag) {
		if !given(f.Name) {
			copyOption(f, recorded.Lookup(f.Name))
		} else if slices.Contains(names, f.Name) {
			same = false
		}
	})
	return same, nil
}

// foreign returns those options in words that the user did not give and that select code to run on this machine.
func (t *Target) foreign(words []string, given func(option string) bool) (foreign []string) {
	of := NewTarget("")
	of.Kinds = t.Kinds
	names, err := of.Parse(words)
	if err != nil {
		return nil // ApplyRecorded reports the error
	}
	of.Options().VisitAll(func(f *flag.Flag) {
		if SelectsLocalCode(f.Name) && slices.Contains(names, f.Name) && !given(f.Name) {
			foreign = append(foreign, "--"+f.Name+"="+strings.Join(optionValues(f), ","))
		}
	})
	if k, _, err := of.FindKind(); err == nil && k.RunsForeignCode && !given("transport") {
		foreign = append(foreign, "--transport="+of.Transport)
	}
	return foreign
}

// WithTransport returns the target with another transport, without the options that this transport ignores.
func (t *Target) WithTransport(transport string) Target {
	of, usual := *t, NewTarget(transport)
	of.Transport = transport
	defaults := usual.Options()
	of.Options().VisitAll(func(f *flag.Flag) {
		if !of.UsesOption(f.Name) {
			copyOption(f, defaults.Lookup(f.Name))
		}
	})
	return of
}

// UsesOption reports whether the target's current transport uses an option.
func (t *Target) UsesOption(option string) bool {
	k, _, err := t.FindKind()
	switch {
	case err != nil:
		return true // Check reports the error
	case option == "fault":
		return k.CheckFaults != nil
	case option == "board":
		b, err := boards.Open(t.Board)
		return err != nil || b.Transport == k.Name // Check reports the error
	}
	return t.has(&k, option)
}

// CheckOptionUse returns an error if the transport of the target ignores an option.
func (t *Target) CheckOptionUse(option string) error {
	k, _, err := t.FindKind()
	if err != nil || t.has(&k, option) {
		return err
	}
	return failure.Usagef("--%s is for the transport %s, and this one is %s: choose with --transport", option,
		strings.Join(t.kindsWith(option), " or "), k.Name)
}

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
