package project

import (
	"errors"
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
