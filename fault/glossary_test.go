package fault_test

import (
	"slices"
	"testing"

	"utfbench/fault"
	"utfbench/internal/cli"
	"utfbench/internal/testkit"
)

// The glossary explains each kind of fault.
func TestWords(t *testing.T) {
	book := cli.NewBook(fault.Glossary)
	kinds := len(testkit.Constants(t, "fault.go", "Kind"))
	if kinds != int(fault.Slow)+1 {
		t.Fatalf("%d kinds of faults", kinds)
	}
	for k := range fault.Kind(kinds) {
		if _, err := book.Find((fault.Fault{Kind: k}).GlossaryTerm()); err != nil {
			t.Errorf("kind %d: %v", k, err)
		}
	}
}

// Places returns a fault's lines, or its bit.
func TestPlaces(t *testing.T) {
	bits := fault.BitNames{"v3"}
	for text, want := range map[string][]string{"uo3=stuck1": {"uo3"}, "ui1<>ui2": {"ui1", "ui2"}, "v3=stuck0": {"v3"},
		"fmax=25MHz": nil} {
		f, err := bits.Parse(text)
		if err != nil || !slices.Equal(f.Places(), want) {
			t.Errorf("%s: %v, %v", text, f.Places(), err)
		}
	}
}
