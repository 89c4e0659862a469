package pack

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// repository writes a shuttle's repository with three designs: a good one, one without a netlist, and a broken one.
func repository(t *testing.T) string {
	t.Helper()
	turn := testkit.Must(os.ReadFile("../gates/testdata/tt_um_bench_turn.v"))(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"tt_um_bench_turn/tt_um_bench_turn.v": string(turn),
		"tt_um_bench_turn/info.yaml":          "project:\n  title: Turns\n  author: Nobody\n  clock_hz: 1000\n",
		"tt_um_bench_turn/commit_id.json":     `{"repo": "https://example.com/turn", "commit": "abc"}`,
		"tt_um_bench_turn/LICENSE":            "Apache License\n",
		"tt_um_wokwi/info.yaml":               "project:\n  title: Drawn\n",
		"tt_um_broken/tt_um_broken.v":         "module tt_um_broken (;",
		"danger_level.yaml":                   "tt_um_bench_turn:\n  level: medium\n",
	} {
		path := filepath.Join(dir, "projects", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const vectors = "suite explored\n\ndocument exploration\nsection \"of a test\"\n\nvector 00001 \"explored\"\n" +
	"  expects reference\n  step 00 00 00 1 1\n"

func written(t *testing.T, repo string) (path string, x *Index) {
	t.Helper()
	var b bytes.Buffer
	searched := 0
	x, err := Make(repo, &b, func(*gates.Tile) (Suite, error) {
		return Suite{Text: []byte(vectors), Detected: 3, Faults: 4}, nil
	}, func(done, of int) {
		if done > of || done < searched {
			t.Errorf("%d of %d designs are searched, after %d", done, of, searched)
		}
		searched = done
	})
	if err != nil || searched == 0 {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "a.pack")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, x
}

// A pack contains all data for judging a design, lists omitted designs with reasons, and is reproducible.
func TestPack(t *testing.T) {
	repo := repository(t)
	path, made := written(t, repo)
	again, _ := written(t, repo)
	a, _ := os.ReadFile(path)
	b, _ := os.ReadFile(again)
	if !bytes.Equal(a, b) {
		t.Error("the same repository gives two packs")
	}
	if len(made.Designs) != 1 || len(made.Excluded) != 2 {
		t.Fatalf("%+v", made)
	}
	p := testkit.Must(Open(path))(t)
	defer p.Close()
	d, err := p.Find("TT_UM_bench_turn")
	if err != nil || d.Danger != "medium" || d.Author != "Nobody" || d.Commit != "abc" || d.ClockHz != 1000 ||
		d.Flops == 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	if _, err := p.Find("tt_um_wokwi"); err == nil || !strings.Contains(err.Error(), "it has no netlist") {
		t.Error(err)
	}
	dir := testkit.Must(p.Extract(d, t.TempDir()))(t)
	from := testkit.Must(project.Open(dir))(t)
	x, err := gates.Open(from)
	if err != nil || x.Digest() != d.Netlist || x.About.Title != "Turns" {
		t.Fatalf("%+v, %v", x, err)
	}
	if s, err := tile.Suites(x); err != nil || len(s) != 1 || s[0].Text != vectors || d.DetectedFaults != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, c := range []struct{ damage, want string }{
		{}, {"flops", "does not describe the gates"}, {"licence", "licences/"},
	} {
		switch c.damage {
		case "flops":
			d.Flops++
		case "licence":
			d.Flops--
			d.Licence = strings.Repeat("0", 64)
		}
		if err := p.Check(); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.damage, err)
		}
	}
}

// The error for a damaged pack is one sentence, and bytes before or after a pack are detected.
func TestHostile(t *testing.T) {
	path, _ := written(t, repository(t))
	whole := testkit.Must(os.ReadFile(path))(t)
	for at := 0; at < len(whole); at += 97 {
		text := bytes.Clone(whole)
		text[at] ^= 0x20
		check(t, text)
		check(t, whole[:at])
	}
	for name, text := range map[string][]byte{"appended": append(bytes.Clone(whole), "bytes"...),
		"before": append([]byte("bytes"), whole...)} {
		if _, err := Read(name, text); err == nil || !strings.Contains(err.Error(), "something was added to it") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func check(t *testing.T, text []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "b.pack")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Open(path)
	if err == nil {
		err = p.Check()
		p.Close()
	}
	if err != nil && (failure.KindOf(err) != failure.User || strings.Contains(err.Error(), "\n")) {
		t.Errorf("%v", err)
	}
}

// If a search fails, Make fails with its error.
func TestSearchFails(t *testing.T) {
	why := errors.New("no luck")
	if _, err := Make(repository(t), io.Discard, func(*gates.Tile) (Suite, error) { return Suite{}, why },
		func(int, int) {}); err != why {
		t.Error(err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte("PK"))
	f.Fuzz(func(t *testing.T, text []byte) { check(t, text) })
}
