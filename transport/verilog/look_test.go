package verilog

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A design's effects are reported with file and line.
func TestEffectsOfFiles(t *testing.T) {
	dir := t.TempDir()
	top, inner := filepath.Join(dir, "top.v"), filepath.Join(dir, "inner.vh")
	write(t, top, "`include \"inner.vh\"\nmodule m;\ninitial begin $system(\"touch a\"); end // $system in a comment\n"+
		"integer f; initial begin f = $fopen(\"b\", \"w\"); f = $fopen(\"in.hex\", \"r\"); end\n"+
		"initial $display(\"$system\");\nendmodule\n")
	write(t, inner, "`define EVIL $system(\"touch c\")\n")
	all, err := FindEffects([]string{top, inner})
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, e := range all {
		name, _, _ := strings.Cut(e.What, " ")
		places = append(places, fmt.Sprintf("%s:%d %s", filepath.Base(e.File), e.Line, name))
	}
	if want := []string{"top.v:3 $system", "top.v:4 $fopen", "inner.vh:1 $system"}; !slices.Equal(places, want) {
		t.Errorf("effects %q; want %q", places, want)
	}
}

func TestEffects(t *testing.T) {
	for text, want := range map[string]string{
		"$c(\"x();\");":                        "$c is",
		"x = $c32(\"y\");":                     "$c is",
		"$clog2(3)":                            "",
		"$countones(a)":                        "",
		"import \"DPI-C\" function int f();":   "a function of DPI",
		"`systemc_header":                      "C++ code",
		"$writememh(\"a\", m);":                "$writememh writes",
		"$dumpfile (\"a\");":                   "$dumpfile writes",
		"f = $fopen(name);":                    "$fopen writes",
		"f = $fopen(name, \"r+\");":            "$fopen writes",
		"f = $fopen(\"a\", mode);":             "$fopen writes",
		"f = $fopen(\"a\", \"rb\");":           "",
		"/* $system(\n) */ $display(\"$c()\")": "",
	} {
		all := effectsIn(text)
		switch {
		case want == "" && len(all) > 0, want != "" && (len(all) != 1 || !strings.HasPrefix(all[0].What, want)):
			t.Errorf("%s: %v; want %q", text, all, want)
		}
	}
}
