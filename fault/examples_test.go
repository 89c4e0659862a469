package fault

import (
	"strings"
	"testing"
)

// The error for a mistyped fault suggests a similar one.
func TestHint(t *testing.T) {
	bits := BitNames{"v3", "retry"}
	for typed, want := range map[string]string{
		"uo3=stcuk1":      "uo3=stuck1",
		"uo3:stuck1":      "uo3=stuck1",
		"uo3=stuck":       "uo3=stuck0",
		"uo3=stuck-at-1":  "uo3=stuck1",
		"uo0<->uo1":       "uo0<>uo1",
		"uo0~uo1":         "uo0~uo1=and",
		"ui0~ui1=swap":    "ui0<>ui1",
		"uo3~uo4=swapped": "uo3<>uo4",
		"uo3=flip":        "uo3=flip:0.001",
		"ui3=setup":       "ui3=setup:40ns",
		"uo3=open:lwo":    "uo3=open:low",
		"retry=stuk1":     "retry=stuck1",
		"fmax=10":         "fmax=10MHz",
		"clk=invert":      "clk=inverted",
	} {
		if _, err := bits.Parse(typed); err == nil || !strings.Contains(err.Error(), "(did you mean "+want+"?)") {
			t.Errorf("%s: %v; want %s", typed, err, want)
		}
	}
	if _, err := bits.Parse("uo3=late:30ns"); err == nil || !strings.Contains(err.Error(), "a time is uo3=delay:TIME") {
		t.Errorf("a time of late: %v", err)
	}
	if _, err := bits.Parse("uo3=stuck1,uo4=stuck0"); err == nil || !strings.Contains(err.Error(), "repeat the flag") {
		t.Errorf("a list: %v", err)
	}
	for _, typed := range []string{"the wire is loose", "xyz=stuck1"} {
		if _, err := bits.Parse(typed); err == nil || strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%s: nothing is near: %v", typed, err)
		}
	}
}

// The examples include every kind of fault, and each can be parsed.
func TestExamples(t *testing.T) {
	bits := BitNames{"v3", "retry"}
	met := map[Kind]bool{}
	for _, s := range bits.examples() {
		f, err := bits.Parse(s)
		if err != nil {
			t.Error(err)
		}
		met[f.Kind] = true
	}
	for k := range Slow + 1 {
		if !met[k] {
			t.Errorf("no example is of kind %d", k)
		}
	}
}
