package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"utfbench/internal/document"
	"utfbench/internal/testkit"
	"utfbench/lab/host"
	"utfbench/lab/server"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport"
	"utfbench/transport/lab"
)

// A shopFloor is a lab with boards of each fate, of mocks in this process.
type shopFloor struct {
	invite string
	lease  *lab.Lease   // of the board that is taken
	flaky  atomic.Int64 // how often the board that is wrong the first time was opened
}

// aShopFloor has the boards gold, good, flaky (wrong when it is opened first), stuck, unwired, taken and gone.
func aShopFloor(t *testing.T) *shopFloor {
	t.Setenv("BENCH_DB", filepath.Join(t.TempDir(), "h.db"))
	t.Setenv(lab.Variable, filepath.Join(t.TempDir(), "none")) // so that none is remembered
	floor := new(shopFloor)
	offers := []host.Offer{
		{Name: "gold", Target: floor.mock(nil, "")},
		{Name: "good", Target: floor.mock(nil, "41")},
		{Name: "flaky", Target: floor.mock(&floor.flaky, "42")},
		{Name: "stuck", Target: floor.mock(nil, "59", "uo3=stuck1")},
		{Name: "unwired", Target: floor.mock(nil, "", "uio3~uio4=and")},
		{Name: "taken", Target: floor.mock(nil, "")},
		{Name: "gone", Target: native.New("rp2040:/dev/none")},
	}
	offers[4].Target.Kinds[0].Wires = true
	s, conn, invite := offered(t, offers)
	floor.invite = invite
	inLab(t, s, "gone", lab.Gone)
	wish := lab.Wish{Who: "eve@pc", Does: "bench shmoo"}
	floor.lease = testkit.Must(conn.Take(t.Context(), lab.Board{Host: "pi1", Name: "taken"}, wish, nil))(t)
	t.Cleanup(func() { floor.lease.Close() })
	inLab(t, s, "taken", lab.Taken)
	return floor
}

// dialSoon comes into a lab by a key that the server has to notice first.
func dialSoon(t *testing.T, inv *lab.Invitation) *lab.Conn {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		conn, err := lab.Dial(t.Context(), inv)
		if err == nil {
			return conn
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// mock is a board of the lab. With opened it is wrong the first time; celsius is what it measures.
func (*shopFloor) mock(opened *atomic.Int64, celsius string, faults ...string) station.Target {
	of, kinds := native.New("mock"), native.Kinds()
	of.Faults = faults
	of.Kinds = kinds[:1]
	open := kinds[0].Open
	kinds[0].Open = func(ctx context.Context, t *station.Target, where string, c *station.Chip) (transport.Transport,
		error) {
		if celsius != "" {
			c.Measured = document.Tags{document.Celsius: celsius}
		}
		tr, err := open(ctx, t, where, c)
		if opened != nil && opened.Add(1) == 1 {
			return &slip{tr}, err
		}
		return tr, err
	}
	return of
}

// A slip has uo3 wrong.
type slip struct{ transport.Transport }

func (s *slip) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := s.Transport.Apply(ctx, steps, samples)
	for i := range n {
		samples[i].Out ^= 8
	}
	return n, err
}

// inLab waits until a board of a lab is in a state.
func inLab(t *testing.T, s *server.Server, board string, state lab.State) *lab.Board {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		changed, list := s.Changed(), s.Boards()
		if b, err := list.Find(board); err == nil && b.State == state {
			return b
		}
		select {
		case <-changed:
		case <-time.After(time.Second):
		}
	}
	t.Fatalf("%s is not %s: %+v", board, state, s.Boards())
	return nil
}

// run runs bench lab run on one suite.
func (f *shopFloor) run(t *testing.T, words string) (code int, said string) {
	t.Helper()
	return bench(t, append([]string{"lab", "run", f.invite, "--suite", "sequences", "--run", "tt09$"},
		strings.Fields(words)...)...)
}

func says(t *testing.T, said string, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		if !regexp.MustCompile(`(?m)` + p).MatchString(said) {
			t.Errorf("no %s", p)
		}
	}
	if t.Failed() {
		t.Fatal(said)
	}
}

// All boards are asked, those that do not pass once more, and what is no fault of a chip is in no yield.
func TestLabRun(t *testing.T) {
	floor := aShopFloor(t)
	file := filepath.Join(t.TempDir(), "j.xml")
	code, said := floor.run(t, "--golden gold --junit "+file)
	says(t, said, `^golden unit pi1/gold: PASS, \d+ steps/s, run 1 of the history$`,
		`^pi1/flaky +tt09 +FAIL +PASS +\d+ +\d \d$`, `^pi1/gone +- +gone +- +- +-$`,
		`^pi1/good +tt09 +PASS +- +\d+ +\d$`, `^pi1/stuck +tt09 +FAIL +FAIL +\d+ +\d \d$`,
		`^pi1/taken +- +taken +- +- +-$`, `^pi1/unwired +tt09 +WIRING +- `,
		`^pi1/flaky: sequences/\S+ step 1 \(uo3 OVERLONG\): uo3 is inverted$`,
		`^pi1/taken: eve@pc has it since .* \(bench shmoo\)$`,
		`^pi1/stuck: sequences/\S+ step 1 \(uo3 OVERLONG\): uo3 is stuck at 1 or open`,
		`^next:\n  bench lab boards +# whether the hosts of 1 lost board are there\n`,
		`\n  bench report \d+ --open +# pi1/flaky: `,
		`\n  bench doctor -t lab:pi1/unwired +# pi1/unwired, layer by layer$`,
		`^pi1/unwired: .*uio3 and uio4 are shorted together`, `^pi1/gone: .*/dev/none`,
		`^all +3 +1, 33 % \(.*\) +2, 67 % `,
		`^ERROR  1 of 6 boards pass, 1 FAIL, 1 FLAKY, 1 WIRING, 1 gone, 1 taken: .*; no chip was tested$`)
	if code != exitBench || strings.Contains(said, "far from the median") {
		t.Errorf("exit code %d, %s", code, said)
	}
	text := testkit.Must(os.ReadFile(file))(t)
	var got junit.Testsuites
	if err := xml.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, s := range got.Suites {
		for _, c := range s.Testcases {
			if !strings.HasPrefix(c.Classname, s.Name+".") {
				t.Errorf("%s: the class %s names no board", s.Name, c.Classname)
			}
			switch {
			case c.Failure != nil:
				kinds[s.Name] += c.Failure.Type + " "
			case c.Error != nil:
				kinds[s.Name] += c.Error.Type + " "
			}
		}
		kinds[s.Name], _, _ = strings.Cut(kinds[s.Name], " ")
	}
	want := map[string]string{"lab:pi1/gold": "", "lab:pi1/good": "", "lab:pi1/flaky": "FLAKY",
		"lab:pi1/stuck": "FAIL", "lab:pi1/unwired": "WIRING", "lab:pi1/gone": "ERROR", "lab:pi1/taken": "ERROR"}
	for name, kind := range want {
		if got, is := kinds[name]; !is || got != kind {
			t.Errorf("%s: %q, %v; want %q", name, got, is, kind)
		}
	}
	_, said = bench(t, "history")
	says(t, said, `^7 .* lab:pi1/.* lot=.*, lot_absent=pi1/gone pi1/taken, lot_boards=6[, ]`,
		`^1 .* lab:pi1/gold .* lot_golden=yes`)
	_, said = bench(t, "history", "--board", "pi1/stuck")
	says(t, said, `^[4-7] .* lab:pi1/stuck `)
	if strings.Contains(said, "pi1/good") {
		t.Error(said)
	}
	if err := floor.lease.Close(); err != nil { // of which the list of boards knows nothing for a second
		t.Fatal(err)
	}
	code, said = floor.run(t, "--on taken --no-history")
	if says(t, said, `^pi1/taken +tt09 +PASS `); code != exitPass {
		t.Errorf("exit code %d, %s", code, said)
	}
	var out, errOut bytes.Buffer // a shell completes boards
	run(t.Context(), []string{"__complete", "lab", "run", floor.invite, "--golden", ""}, nil, &out, &errOut)
	says(t, out.String(), `^good\t.*free$`, `^gone\t.*gone: `)
}

// Unless the golden unit passes nothing is judged; a retest changes the exit code.
func TestLabRunEnds(t *testing.T) {
	floor := aShopFloor(t)
	for _, c := range []struct {
		args string
		code int
		says []string
	}{
		{"--on good --no-history", exitPass, []string{`^PASS  1 of 1 board passes: `}},
		{"--on board=go[ol]d,kind=mock,rev=tt09", exitPass, []string{`^PASS  2 of 2 boards`}},
		{"--on unwired", exitWiring, []string{`^WIRING  0 of 1 board`}},
		{"--golden stuck", exitBench, []string{`^golden unit pi1/stuck: FAIL, \d+ steps/s, run \d+ of the `,
			`\n\nERROR  the golden unit pi1/stuck did not pass: .* no board was judged$`,
			`\n\nnext:\n  bench report \d+ .*--open  # pi1/stuck: waveforms, and what explains them$`}},
		{"--golden gone", exitBench, []string{`^golden unit pi1/gone: gone, .*/dev/none`}},
		{"--on flaky --retest 0", exitFail, []string{`^FAIL  0 of 1 board passes, 1 FAIL: `}},
		{"--on flaky", exitPass, []string{`^PASS  1 of 1 board`}}, // it was wrong once
		{"--on stuck --retest 2", exitFail, []string{`^pi1/stuck +tt09 +FAIL +FAIL +FAIL `}},
		{"--on x*", exitUsage, []string{`^bench: --on x\*: no board of the lab matches: there are pi1/flaky, `}},
		{"--on good,board=stuk", exitUsage, []string{`: no board of the lab matches \(did you mean stuck\?\); `}},
		{"--on [", exitUsage, []string{`^bench: --on "\[": "\[" is not a condition: `}},
		{"--on board=good,rev=tt08", exitUsage, []string{`^bench: --on board=good,rev=tt08: no board that could be `}},
		{"--golden x", exitUsage, []string{`^bench: --golden: the lab has no board "x": there are pi1/flaky, `}},
		{"--golden good --on good", exitUsage, []string{`^bench: --golden good: there is no other board to judge$`}},
		{"--golden=", exitUsage, []string{`^bench: --golden is empty`}},
		{"--retest -1", exitUsage, []string{`^bench: --retest -1: has to be a whole number from 0 to 100$`}},
		{"--timeout 0", exitUsage, []string{`^bench: --timeout 0: has to be a time of more than 0 `}},
		{"--revision tt10", exitUsage, []string{`^bench: .*tt10`}},
		{"--run ^nothing$", exitNothing, []string{`^bench: no vector is selected`}},
	} {
		code, said := floor.run(t, c.args)
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d", c.args, code, c.code)
		}
		says(t, said, c.says...)
	}
}

// What is told where the lab has no boards, or there is none.
func TestLabRunOfNothing(t *testing.T) {
	data := t.TempDir()
	t.Setenv(lab.Variable, server.InviteFile(data))
	code, said := bench(t, "lab", "run", "--smoke")
	if code != exitUsage {
		t.Errorf("exit code %d, %s", code, said)
	}
	s, err := server.Start(context.Background(), server.Config{Data: data, Listen: "127.0.0.1:0", Bench: "test"})
	if err != nil {
		t.Fatal(err)
	}
	code, said = bench(t, "lab", "run", "--smoke")
	if code != exitNothing || !strings.Contains(said, "the lab has no boards: a machine offers its own by ") {
		t.Errorf("exit code %d, %s", code, said)
	}
	s.Close()
	if code, said = bench(t, "lab", "run", "--smoke"); code != exitBench {
		t.Errorf("exit code %d, %s", code, said)
	}
}

// still is a chip that cannot be asked at speed.
type still struct{ transport.Transport }

// aFastLab has a good board, one with a line that is late, and one that cannot be asked at speed.
func aFastLab(t *testing.T) *shopFloor {
	t.Setenv("BENCH_DB", filepath.Join(t.TempDir(), "h.db"))
	t.Setenv(lab.Variable, filepath.Join(t.TempDir(), "none"))
	floor := new(shopFloor)
	offers := []host.Offer{{Name: "late", Target: floor.mock(nil, "", "uo3=delay:25ns")},
		{Name: "still", Target: floor.mock(nil, "")}}
	kind := &offers[1].Target.Kinds[0]
	open := kind.Open
	kind.Open = func(ctx context.Context, t *station.Target, where string, c *station.Chip) (transport.Transport,
		error) {
		tr, err := open(ctx, t, where, c)
		return still{tr}, err
	}
	for _, name := range []string{"b1"} {
		offers = append(offers, host.Offer{Name: name, Target: floor.mock(nil, "")})
	}
	s, _, invite := offered(t, offers)
	floor.invite = invite
	inLab(t, s, "b1", lab.Free)
	return floor
}

// At speed a line that is late is wrong on its board.
func TestLabRunAtSpeed(t *testing.T) {
	floor := aFastLab(t)
	code, said := floor.run(t, "--at 40MHz --on board!=still --retest 0")
	says(t, said, `^pi1/b1 +tt09 +PASS `,
		`^pi1/late: sequences/\S+ step \d+ \(uo3 \w+\): uo3 is too late for the sample`)
	if code != exitFail {
		t.Errorf("exit code %d, %s", code, said)
	}
	code, said = floor.run(t, "--on b1 --json --no-history")
	if err := testkit.Conforms(testkit.Schema(t, "lab-run"), said); err != nil || code != exitPass {
		t.Errorf("exit code %d, %v in\n%s", code, err, said)
	}
	code, said = floor.run(t, "--at 40MHz --on still --no-history")
	if says(t, said, `it cannot run at speed`, `^ERROR  0 of 1 board`); code != exitBench {
		t.Errorf("exit code %d, %s", code, said)
	}
}
