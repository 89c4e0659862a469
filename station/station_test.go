package station

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"utfbench/internal/failure"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// stranger is a transport to another design, whose outputs are all high.
type stranger struct {
	transport.Transport
	closed int
	err    error
}

func (s *stranger) Apply(_ context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	for i := range steps {
		samples[i] = transport.Sample{Out: 0xFF, IO: 0xFF}
	}
	return len(steps), nil
}

func (s *stranger) Close() error { s.closed++; return s.Transport.Close() }

func wired(s *stranger) *Target {
	t := NewTarget("it")
	open := func(context.Context, *Target, string, *Chip) (transport.Transport, error) {
		s.Transport = mock.Open(mock.Config{Tile: utf.TT09})
		return s, nil
	}
	t.Kinds = []Kind{{Name: "it", DefaultBoard: "mock", HasWires: true, Open: open}}
	return &t
}

// A chip that cannot be judged is closed, and the error is of the right kind.
func TestBlame(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	cut := errors.New("the cable was pulled")
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		want failure.Kind
	}{
		"another design": {context.Background(), nil, failure.OtherDesign},
		"a cable":        {context.Background(), cut, failure.Bench},
		"Ctrl-C":         {cancelled, context.Canceled, failure.Interrupted},
	} {
		s := &stranger{err: c.err}
		chip, err := wired(s).Open(c.ctx)
		if chip != nil || err == nil || failure.KindOf(err) != c.want || s.closed != 1 {
			t.Errorf("%s: chip %v, error %v, blame %d, want %d; closed %d times", name, chip, err, failure.KindOf(err),
				c.want, s.closed)
		}
		if c.want == failure.Bench && !errors.Is(err, cut) {
			t.Errorf("%s: %v does not say why", name, err)
		}
	}
}

// With Insist, another design is judged.
func TestInsist(t *testing.T) {
	target := wired(&stranger{})
	target.Insist = true
	c, err := target.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// A chip is identified by the options with which it was opened, and OpenAnother keeps that identity.
func TestIdentity(t *testing.T) {
	target := NewTarget("mock:tt08")
	c, err := target.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Info.Kind != "mock" || c.Info.Design != "tt08" || c.Info.Board != "mock" || c.Tile != utf.TT09 ||
		c.LeftState() != "" {
		t.Errorf("%+v, compared with %s, left %q", c.Info, c.Tile.Revision(), c.LeftState())
	}
	more, err := c.OpenAnother(context.Background())
	if err != nil || more.String() != c.String() {
		t.Fatal(more, err)
	}
	more.Close()
	target.Faults = []string{"uo3=flip:0.5"}
	if c, err = target.Open(context.Background()); err != nil || c.OpenAnother != nil || c.Info.Faults == "" {
		t.Errorf("faults by chance are of one chip: %v, %+v", err, c)
	}
}

// OpenAnother refuses a design that was edited after the first opening.
func TestAnotherDesign(t *testing.T) {
	opened := 0
	target := NewTarget("it")
	open := func(_ context.Context, _ *Target, _ string, c *Chip) (transport.Transport, error) {
		opened++
		c.Info.Sources = strconv.Itoa(opened)
		return mock.Open(mock.Config{Tile: utf.TT09}), nil
	}
	target.Kinds = []Kind{{Name: "it", DefaultBoard: "mock", Reopenable: true, Open: open}}
	c, err := target.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	more, err := c.OpenAnother(context.Background())
	if more != nil || err == nil || !strings.Contains(err.Error(), "the design changed while it was opened") {
		t.Errorf("%v %v", more, err)
	}
}

// Apart from tests and testkit, only the folders of the station import the transports mock, gpio, verilog and replay.
func TestTransportsAreNamedHere(t *testing.T) {
	concrete := regexp.MustCompile(`/transport/(mock|gpio|verilog|replay)$`)
	named := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			if name, _ := strconv.Unquote(i.Path.Value); concrete.MatchString(name) {
				named++
				if !strings.HasPrefix(dir, "../station") && dir != "../internal/testkit" {
					t.Errorf("%s imports %s", path, name)
				}
			}
		}
		return nil
	})
	if err != nil || named < 4 {
		t.Fatal(named, err)
	}
}
