package fault

import (
	"strings"
	"testing"
)

// Describe names the seed only if the faults depend on it.
func TestDescribe(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"uo3=stuck1 ui2=open":           "uo3=stuck1 ui2=open",
		"uo0<>uo1 v3=stuck0 uio0=late":  "uo0<>uo1 v3=stuck0 uio0=late",
		"uo3=flip:0.1":                  "uo3=flip:0.1 seed 7",
		"uo3=flip:0.1:5":                "uo3=flip:0.1:5",
		"uo3=stuck1 uio5=open:random":   "uo3=stuck1 uio5=open:random seed 7",
		"uio5=open:random:2":            "uio5=open:random:2",
		"fmax=10MHz":                    "fmax=10MHz seed 7",
		"ui3=setup:40ns uo3=flip:0.1:5": "ui3=setup:40ns uo3=flip:0.1:5 seed 7",
	} {
		var faults []Fault
		for _, word := range strings.Fields(text) {
			f, err := BitNames{"v3"}.Parse(word)
			if err != nil {
				t.Fatal(err)
			}
			faults = append(faults, f)
		}
		if got := Describe(faults, 7); got != want {
			t.Errorf("%q is described as %q; want %q", text, got, want)
		}
		if of, seed := CutSeed(want); of != text || (seed == "7") != DependOnSeed(faults) {
			t.Errorf("%q: faults %q, seed %q", want, of, seed)
		}
	}
}
