package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/tile/gates"
	"utfbench/tile/pack"
	"utfbench/web"
)

func told(t *testing.T, ctx context.Context, order string) (all []web.Event) {
	t.Helper()
	o := testkit.Must(web.ReadOrder([]byte(order)))(t)
	s := web.Session{Version: "test", Send: func(e web.Event) { all = append(all, e) }}
	s.Run(ctx, o)
	return all
}

// kinds lists the kinds of events. Consecutive events of one kind count once.
func kinds(all []web.Event) string {
	var names []string
	for _, e := range all {
		names = append(names, e.Kind)
	}
	return strings.Join(slices.Compact(names), " ")
}

// All vectors pass on the mock. The PASS event states its evidence, and includes a readable report and recording.
func TestPass(t *testing.T) {
	all := told(t, t.Context(), `{"seed": 3}`)
	if got := kinds(all); got != "opened progress judged progress verdict" && got != "opened judged progress verdict" {
		t.Errorf("the events are %s", got)
	}
	last := all[len(all)-1]
	v := last.Value.(*web.VerdictEvent)
	if v.Verdict != "PASS" || !v.Chipless || v.Explanation != nil ||
		!strings.HasSuffix(v.Compared, " output bits, every line at both levels") {
		t.Errorf("the verdict is %+v", v)
	}
	if !strings.Contains(v.Meaning, "no chip was tested") {
		t.Errorf("a PASS of the mock says %q", v.Meaning)
	}
	path := filepath.Join(t.TempDir(), "rec")
	if err := os.WriteFile(path, last.Files[1].Data, 0o600); err != nil {
		t.Fatal(err)
	}
	rec, err := report.Open(path)
	if err != nil || rec.CutReason != "" || rec.Start.Vectors != 8307 {
		t.Fatalf("the recording: %v, %+v", err, rec)
	}
	rec.Close()
	if !bytes.Contains(last.Files[0].Data, []byte("<b>PASS</b>")) {
		t.Error("the report has no verdict")
	}
}

// packed returns a pack with one design and the vectors that search finds for it.
func packed(t *testing.T, search func(*gates.Tile) (pack.Suite, error)) []byte {
	t.Helper()
	repo, name := t.TempDir(), "tt_um_bench_turn"
	netlist := testkit.Must(os.ReadFile("../tile/gates/testdata/turn.v"))(t)
	dir := filepath.Join(repo, "projects", name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{name + ".v": string(netlist), "info.yaml": "project: {title: Turns}\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if _, err := pack.Make(repo, &b, search, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A design in a pack is judged by its gates, and graded.
func TestPacked(t *testing.T) {
	var all []web.Event
	s := web.Session{Version: "test", Send: func(e web.Event) { all = append(all, e) }}
	s.LoadPack("tt.pack", packed(t, nil))
	if v := all[0].Value.(web.PackEvent); !slices.Equal(v.Designs, []string{"tt_um_bench_turn"}) {
		t.Fatalf("%+v", v)
	}
	for order, want := range map[string]string{
		`{"packed": "tt_um_bench_turn", "seed": 1, "run": "0$"}`:                          "PASS",
		`{"packed": "tt_um_bench_turn", "seed": 1, "run": "0$", "fault": ["uo0=stuck1"]}`: "FAIL",
	} {
		o := testkit.Must(web.ReadOrder([]byte(order)))(t)
		s.Run(t.Context(), o)
		v, ok := all[len(all)-1].Value.(*web.VerdictEvent)
		if !ok || v.Verdict != want || !strings.Contains(v.Text, "compared with the netlist gates-") {
			t.Errorf("%s: %+v", order, all[len(all)-1].Value)
		}
		if want == "PASS" && !strings.Contains(v.Text, "coverage ") {
			t.Errorf("no coverage: %s", v.Text)
		}
		if want == "FAIL" && (v.Explanation == nil ||
			!strings.HasPrefix(v.Explanation.Suspects[0], "uo0 is stuck at 1")) {
			t.Errorf("explained by %+v", v.Explanation)
		}
	}
	s.LoadPack("vectors.pack", packed(t, func(*gates.Tile) (pack.Suite, error) {
		return pack.Suite{Text: []byte("suite explored\ndocument search\nsection \"1\"\nvector a \"a\"\n" +
			"expects reference\nstep 00 00 00 1 1\n")}, nil
	}))
	own := testkit.Must(web.ReadOrder([]byte(`{"packed": "tt_um_bench_turn", "seed": 1}`)))(t)
	s.Run(t.Context(), own)
	if v, ok := all[len(all)-1].Value.(*web.VerdictEvent); !ok || !strings.Contains(v.Text, "\nexplored  ") {
		t.Errorf("%+v", all[len(all)-1].Value)
	}
	o := testkit.Must(web.ReadOrder([]byte(`{"packed": "tt_um_other"}`)))(t)
	last := func() any { return all[len(all)-1].Value }
	if s.Run(t.Context(), o); !strings.Contains(last().(*web.ErrorEvent).Text, `no design "tt_um_other"`) {
		t.Errorf("%+v", last())
	}
	s.LoadPack("bad.pack", []byte("PK"))
	if v := last().(web.PackEvent); v.Designs != nil || !strings.HasPrefix(v.Text, "bad.pack: not a pack") {
		t.Errorf("%+v", v)
	}
	o.PackDesign = "tt_um_bench_turn"
	if s.Run(t.Context(), o); !strings.Contains(last().(*web.ErrorEvent).Text, "none is loaded") {
		t.Errorf("%+v", last())
	}
}

// A failure is reported with its waveform when it occurs, and diagnosed at the end. The recording names the fault.
func TestFail(t *testing.T) {
	all := told(t, t.Context(), `{"fault": ["uo3=stuck1"], "suite": ["man7"], "seed": 3}`)
	i := slices.IndexFunc(all, func(e web.Event) bool { return e.Kind == "failure" })
	if i < 0 || !bytes.HasPrefix(all[i].Files[0].Data, []byte("<svg ")) {
		t.Fatalf("the events are %s", kinds(all))
	}
	last := all[len(all)-1]
	v := last.Value.(*web.VerdictEvent)
	if v.Verdict != "FAIL" || v.Compared != "" || v.Explanation == nil || !slices.ContainsFunc(v.Explanation.Suspects,
		func(s string) bool { return strings.HasPrefix(s, "uo3 ") }) {
		t.Errorf("the verdict is %+v, explained by %+v", v, v.Explanation)
	}
	want := `"target":["-t","mock","--fault","uo3=stuck1","--seed","3"]`
	if !bytes.Contains(last.Files[1].Data, []byte(want)) {
		t.Errorf("the recording lacks %s", want)
	}
	if _, err := json.Marshal(last.Value); err != nil {
		t.Error(err)
	}
}

// The hint reports an injected fault that changed no sample.
func TestIdleFault(t *testing.T) {
	all := told(t, t.Context(), `{"fault": ["uo3=flip:0.0000001"], "run": "^man7/.*", "seed": 3}`)
	v := all[len(all)-1].Value.(*web.VerdictEvent)
	if !strings.Contains(v.Hint, "changed no sample") {
		t.Errorf("the hint is %q", v.Hint)
	}
}

// A file of vectors replaces the suites and is part of the recording.
func TestFiles(t *testing.T) {
	text := testkit.Must(fs.ReadFile(golden.FS(), "man7.vec"))(t)
	own := strings.Replace(string(text), "suite man7", "suite own", 1)
	for text, want := range map[string]string{own: "PASS", own + "\nnonsense\n": "user"} {
		order := testkit.Must(json.Marshal(map[string]any{"files": []web.Vectors{{Name: "own.vec", Text: text}}}))(t)
		all := told(t, t.Context(), string(order))
		switch v := all[len(all)-1].Value.(type) {
		case *web.VerdictEvent:
			if v.Verdict != want || !strings.Contains(v.Text, "\nown ") ||
				!bytes.Contains(all[len(all)-1].Files[1].Data, []byte("own.vec")) {
				t.Errorf("%+v; want %s", v, want)
			}
		case *web.ErrorEvent:
			if v.Kind != want || !strings.Contains(v.Text, "own.vec") {
				t.Errorf("%+v; want %s", v, want)
			}
		}
	}
}

// An order that cannot be carried out leads to an error of the right kind and no verdict.
func TestErrors(t *testing.T) {
	for order, want := range map[string]string{
		`{"suite": ["nope"]}`:                  "user: --suite: unknown suite",
		`{"run": "nope"}`:                      "user: no vector is selected",
		`{"fault": ["uo9=stuck1"]}`:            "user: ",
		`{"transport": "gpio"}`:                `user: transport "gpio": unknown kind`,
		`{"transport": "rp2040"}`:              "user: no board is connected",
		`{"revision": "tt99"}`:                 "user: --revision",
		`{"transport": "replay:/etc/passwd"}`:  "user: ",
		`{"transport": "netlist:/etc/passwd"}`: "user: ",
	} {
		all := told(t, t.Context(), order)
		e, is := all[len(all)-1].Value.(*web.ErrorEvent)
		if !is || !strings.HasPrefix(e.Kind+": "+e.Text, want) {
			t.Errorf("%s: %+v; want %s", order, all[len(all)-1].Value, want)
		}
	}
	for _, order := range []string{`{"fail": 1}`, `{"count": 101}`, `{"count": -1}`, `{"patience": "x"}`, `[]`, ``} {
		if _, err := web.ReadOrder([]byte(order)); err == nil {
			t.Errorf("%s is an order", order)
		}
	}
}

// If a run is stopped while its board is being opened, the error warns that the chip might not be parked.
func TestStopWhileOpening(t *testing.T) {
	o := testkit.Must(web.ReadOrder([]byte(`{"transport": "rp2040"}`)))(t)
	ctx, stop := context.WithCancel(t.Context())
	var last web.Event
	s := web.Session{Send: func(e web.Event) { last = e },
		OpenSerial: func(ctx context.Context, _ string) (io.ReadWriteCloser, error) { stop(); return nil, ctx.Err() }}
	s.Run(ctx, o)
	e, is := last.Value.(*web.ErrorEvent)
	if !is || e.Kind != "interrupted" || !strings.Contains(e.BoardState, "might not be parked") {
		t.Errorf("it tells %+v", last.Value)
	}
}

// A stopped run ends with an interrupted error or with ABORTED, never with PASS.
func TestStop(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	all := told(t, ctx, `{"count": 3}`)
	switch v := all[len(all)-1].Value.(type) {
	case *web.ErrorEvent:
		if v.Kind != "interrupted" {
			t.Errorf("%+v", v)
		}
	case *web.VerdictEvent:
		if v.Verdict != "ABORTED" {
			t.Errorf("%+v", v)
		}
	}
}
