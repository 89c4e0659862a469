package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/failure"
)

func TestFlowDefines(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
		err  string
	}{
		{`{"//": "a note", "CLOCK_PERIOD": 20}`, nil, ""},
		{`{"VERILOG_DEFINES": ["A", "B=2"]}`, []string{"A", "B=2"}, ""},
		{`{"VERILOG_DEFINES": "A B=2"}`, []string{"A", "B=2"}, ""},
		{`{"VERILOG_DEFINES": 3}`, nil, "VERILOG_DEFINES has to be a list"},
		{`{`, nil, "unexpected end of JSON input"},
	} {
		p := &Project{Dir: t.TempDir()}
		write(t, filepath.Join(p.Dir, "src", "config.json"), c.text)
		got, err := flowDefines(filepath.Join(p.Dir, "src", "config.json"))
		if !slices.Equal(got, c.want) || (err == nil) != (c.err == "") {
			t.Errorf("%s: %q, %v", c.text, got, err)
		}
		if err != nil && (failure.KindOf(err) != failure.User || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %v, want %s", c.text, err, c.err)
		}
	}
	if got, err := flowDefines(filepath.Join(t.TempDir(), "config.json")); got != nil || err != nil {
		t.Error(got, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// The author's test may set macros that synthesis does not. Those for the netlist, unused ones and ones that are set
// here do not count.
func TestTestMacros(t *testing.T) {
	p := &Project{Dir: t.TempDir()}
	source := filepath.Join(p.Dir, "src", "project.v")
	p.Sources = []Source{{Path: source}}
	write(t, source, "// `ifdef SIM\n`ifdef SIM\nassign a = `WIDTH;\n`elsif USE_POWER_PINS\n`ifndef FPGA\n"+
		"`endif // NO\n$readmemh(`FILE, a, `SIZE, `ROM2, `ROM3);\n")
	write(t, filepath.Join(p.Dir, "test", "Makefile"), `# -DNO
EXTRA_ARGS = -DFPGA --trace -D WIDTH=8
ifneq ($(GATES),yes)
COMPILE_ARGS += -DSIM -DUNUSED -I$(SRC_DIR)
else
COMPILE_ARGS += -DUSE_POWER_PINS -DUNIT_DELAY=\#1
endif
ifeq ($(SIM),icarus)
COMPILE_ARGS += -DFPGA -DFILE=$(ROM) '-DROM="a.hex"' "-DSIZE=2" -DROM2=\"b.hex\" -DROM3="\"c.hex\""
endif
`)
	for _, c := range []struct {
		defined []string
		want    string
	}{
		{nil, "FPGA 5 test/Makefile:2, WIDTH=8 3 test/Makefile:2, SIM 2 test/Makefile:4, SIZE=2 7 test/Makefile:9, " +
			`ROM2="b.hex" 7 test/Makefile:9, ROM3="c.hex" 7 test/Makefile:9`},
		{[]string{"SIM", "WIDTH=4", "SIZE", "ROM2=2", "ROM3"}, "FPGA 5 test/Makefile:2"},
	} {
		found, err := p.TestMacros(c.defined)
		var all []string
		for _, m := range found {
			all = append(all, fmt.Sprintf("%s %d %s", m.Text, m.Used.Line, m.Place))
			want := "set by " + m.Place + ", but not in synthesis, nor here: defines: [" + m.Text + "] "
			if !strings.Contains(m.Used.What, want) {
				t.Errorf("%s, want %s", m.Used.What, want)
			}
		}
		if got := strings.Join(all, ", "); got != c.want || err != nil {
			t.Errorf("%q: got %s, want %s (%v)", c.defined, got, c.want, err)
		}
	}
}

func FuzzMacros(f *testing.F) {
	f.Add("ifneq ($(GATES),yes)\nX += -DA -D B=1\nelse\nX += -DC\nendif\nendif\nelse\n-D \\# #")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range macrosOf(text) {
			if nameOf(m.text) == "" || m.line < 1 {
				t.Errorf("%+v", m)
			}
		}
	})
}
