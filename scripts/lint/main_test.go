package main

import (
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// The list has all analyzers of go vet 1.26, in its order; another version may have more.
func TestAsGoVet(t *testing.T) {
	help, err := exec.Command("go", "tool", "vet", "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(help), "Registered analyzers:\n\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var want, got []string
	for line := range strings.Lines(list) {
		want = append(want, strings.Fields(line)[0])
	}
	for _, a := range vet {
		got = append(got, a.Name)
	}
	want = slices.DeleteFunc(want, func(name string) bool {
		return slices.Contains([]string{"asmdecl", "cgocall", "framepointer"}, name)
	})
	if same := len(want) >= 30 && slices.Equal(got, want); !same && strings.HasPrefix(runtime.Version(), "go1.26") {
		t.Errorf("%v\nwant, as go vet has them:\n%v", got, want)
	}
	if err := analysis.Validate(vet); err != nil {
		t.Error(err)
	}
}
