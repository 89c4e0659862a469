package station

import (
	"slices"
	"strings"
	"testing"

	"utfbench/runs/report"
)

// Args returns the options that the transport uses, and Parse restores the target from them.
func TestWords(t *testing.T) {
	for given, want := range map[string]string{
		"-t mock":                         "-t mock",
		"-t rp2040 --design a --define b": "-t rp2040 --define b --design a", // --define's kind is not among Kinds
		"-t rp2040:a --insist":            "-t rp2040:a --insist",
		"-t replay:1 --insist --design a": "-t replay:1",
		"-t rp2040 --settle 1ms":          "-t rp2040 --settle 1ms",
		"-t mock --seed 3":                "-t mock --seed 3",
		"-t mock --fault a=b --fault c":   "-t mock --fault a=b --fault c",
		"-t mock --insist=false --at 1s":  "-t mock --at 1s",
	} {
		of := NewTarget("")
		if _, err := of.Parse(strings.Fields(given)); err != nil {
			t.Fatal(given, err)
		}
		if got := strings.Join(of.Args(), " "); got != want {
			t.Errorf("%s: %s; want %s", given, got, want)
		}
		again := NewTarget("")
		if same, err := again.ApplyRecorded("1", start(of.Args()), func(string) bool { return false }); err != nil ||
			!same ||
			!slices.Equal(again.Args(), of.Args()) {
			t.Errorf("%s: brought %q, %v, %v", given, again.Args(), same, err)
		}
	}
}

// start returns the start of a recording whose target has these words.
func start(words []string) *report.Start {
	return &report.Start{Target: words, Identity: report.Identity{Chip: report.Chip{Kind: "rp2040"}}}
}

// The user's options override the run's. With a different value, the chip is not the run's chip.
func TestBring(t *testing.T) {
	const kept = "-t rp2040 --design a"
	for given, want := range map[string]string{
		"":                "-t rp2040 --design a",
		"--design b":      "-t rp2040 --design b",
		"--insist":        "-t rp2040 --design a --insist",
		"--revision tt08": "-t rp2040 --design a --revision tt08",
	} {
		of := NewTarget("mock")
		names, err := of.Parse(strings.Fields(given))
		if err != nil {
			t.Fatal(err)
		}
		same, err := of.ApplyRecorded("1", start(strings.Fields(kept)),
			func(option string) bool { return slices.Contains(names, option) })
		got := strings.Join(of.Args(), " ")
		if err != nil || got != want || same == strings.Contains(given, "design") {
			t.Errorf("%s: %s, %v, %v", given, got, same, err)
		}
	}
	of := NewTarget("mock")
	for _, words := range []string{"--out precious", "-t mock precious", "--seed x"} {
		if _, err := of.ApplyRecorded("1", start(strings.Fields(words)),
			func(string) bool { return false }); err == nil ||
			!strings.Contains(err.Error(), "give -t") {
			t.Errorf("%s: %v", words, err)
		}
	}
}

// WithTransport keeps only the options that the new transport uses.
func TestWith(t *testing.T) {
	all := NewTarget("")
	const words = "--design a --fault uo3=stuck1 --board mock --revision tt08 --pulse 1µs"
	if _, err := all.Parse(strings.Fields(words)); err != nil {
		t.Fatal(err)
	}
	for transport, want := range map[string]string{
		"mock":          "-t mock --board mock --fault uo3=stuck1 --revision tt08",
		"rp2040":        "-t rp2040 --design a --pulse 1µs --revision tt08",
		"rp2040:/dev/b": "-t rp2040:/dev/b --design a --pulse 1µs --revision tt08",
		"replay:1":      "-t replay:1 --revision tt08",
	} {
		of := all.WithTransport(transport)
		if got := strings.Join(of.Args(), " "); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}
