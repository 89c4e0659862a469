package host_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/lab/host"
	"utfbench/lab/server"
	"utfbench/model"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/transport"
	"utfbench/transport/lab"
	"utfbench/transport/transporttest"
)

// A rig is a lab on this machine with a host of two mocks: a good one, and one with a stuck line.
type rig struct {
	server *server.Server
	data   string
	conn   *lab.Conn // the host's
}

// newEmptyRig returns a lab without a host.
func newEmptyRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{data: t.TempDir()}
	r.serve(t, "127.0.0.1:0")
	t.Cleanup(func() { r.server.Close() }) // r.server may change
	t.Setenv(lab.Variable, filepath.Join(r.data, "invite"))
	inv, err := lab.Open("")
	if err != nil {
		t.Fatal(err)
	}
	if r.conn, err = lab.Dial(t.Context(), inv); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.conn.Close)
	return r
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := newEmptyRig(t)
	bad := native.New("mock")
	bad.Faults = []string{"uo3=stuck1", "fmax=100MHz"}
	offers := []host.Offer{{Name: "good", Target: native.New("mock")}, {Name: "bad", Target: bad},
		{Name: "gone", Target: native.New("rp2040:/nowhere")}}
	h := host.Host{Bench: "test", Find: func() []host.Offer { return offers }, Tell: func(s string) { t.Log(s) }}
	ctx, leave := context.WithCancel(context.Background()) // t's context would end before the cleanup
	left := make(chan error, 1)
	go func() { left <- h.Run(ctx, r.conn) }()
	t.Cleanup(func() {
		leave()
		if err := <-left; err != nil {
			t.Error("the host: ", err)
		}
	})
	r.wait(t, "good", lab.Free)
	return r
}

func (r *rig) serve(t *testing.T, listen string) {
	t.Helper()
	var err error
	config := server.Config{Data: r.data, Listen: listen, Bench: "test"}
	if r.server, err = server.Start(context.Background(), config); err != nil {
		t.Fatal(err)
	}
}

// wait waits until all members see a board in a state.
func (r *rig) wait(t *testing.T, board string, state lab.State) *lab.Board {
	t.Helper()
	return r.follow(t, board, func(b *lab.Board) bool { return b.State == state })
}

func target(board string) *station.Target {
	t := native.New("lab:" + board)
	t.Lab.Bench, t.Lab.Does = "test", "a test"
	return &t
}

func open(t testing.TB, of *station.Target) *station.Chip {
	t.Helper()
	c := testkit.Must(of.Open(t.Context()))(t)
	t.Cleanup(func() { c.Close() })
	return c
}

// A lab's board passes the conformance kit with all abilities of a mock.
func TestConformance(t *testing.T) {
	newRig(t)
	steps := testkit.Stimulus(1, 500)
	transporttest.Run(t, transporttest.Kit{
		Open:     func(t testing.TB) transport.Transport { return open(t, target("good")).Transport },
		Stimulus: steps,
		Want:     testkit.ModelSamples(model.TT09, steps),
		Answers: func(steps []transport.Step) []transport.Sample {
			return testkit.ModelSamples(model.TT09, steps)
		},
	})
}

// Vectors pass on a good board and fail on a bad one as they do locally. The history names the board, and the host
// lists injected faults that never acted.
func TestVerdicts(t *testing.T) {
	newRig(t)
	jobs := testkit.Jobs[driver.Job](t, "man7.vec")
	for board, want := range map[string]driver.Verdict{"good": driver.Pass, "bad": driver.Fail} {
		c := open(t, target(board))
		tally, err := (&driver.Runner{Transport: c, Tile: c.Tile}).Run(t.Context(), jobs)
		if err != nil || tally.Verdict() != want {
			t.Errorf("%s: %v, %v; want %s", board, tally.Verdict(), err, want)
		}
		const idle = "The injected fault fmax=100MHz changed no line and no sample: this run says nothing about it. " +
			"A fault of time acts only at a high clock or in short steps: see --at, and bench " +
			"shmoo -x lead or -x period."
		if err := c.Close(); err != nil || (c.Left() == idle) != (board == "bad") {
			t.Errorf("%s: %v, left %q", board, err, c.Left())
		}
		if c.String() != "lab:first/"+board || c.Asked.Kind != "mock" || c.Board.Name != "mock" {
			t.Errorf("it is %s, %+v on the board %s", c, c.Asked, c.Board.Name)
		}
	}
}

// A second user is told at once who holds the board, and a waiting one gets it on release.
func TestOneHolder(t *testing.T) {
	r := newRig(t)
	first := open(t, target("good"))
	if b := r.wait(t, "good", lab.Taken); b.Holder.Does != "a test" || b.Holder.Key != "first" {
		t.Errorf("it is held by %+v", b.Holder)
	}
	var taken *lab.TakenError
	if _, err := target("good").Open(t.Context()); !errors.As(err, &taken) || failure.KindOf(err) != failure.Bench {
		t.Errorf("the second got %v", err)
	}
	second := target("good")
	second.Lab.Wait = true
	second.Lab.Waiting = func(text string) {
		if !strings.HasPrefix(text, "place 1 in the queue: ") {
			t.Errorf("it waits: %s", text)
		}
		first.Close()
	}
	open(t, second)
}

// Each use is an event, even if it is shorter than a Beat.
func TestShortUses(t *testing.T) {
	r := newRig(t)
	const uses = 5
	for range uses {
		if err := open(t, target("good")).Close(); err != nil {
			t.Fatal(err)
		}
	}
	taken := func() (n int) {
		for _, e := range r.server.Events() {
			if strings.HasPrefix(e.String(), "first/good  is taken: ") {
				n++
			}
		}
		return n
	}
	for end := time.Now().Add(time.Minute); taken() < uses && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if taken() != uses {
		t.Errorf("%d of %d uses are events: %v", taken(), uses, r.server.Events())
	}
}

// A request for a missing board fails at once with the reason.
func TestGone(t *testing.T) {
	r := newRig(t)
	r.wait(t, "gone", lab.Gone)
	of := target("gone")
	of.Lab.Wait = true
	if _, err := of.Open(t.Context()); err == nil || !strings.Contains(err.Error(), "no such file") ||
		failure.KindOf(err) != failure.Bench {
		t.Errorf("a board that is not there: %v", err)
	}
}

// A holder that disappears does not block the board: the chip is parked, and later requests of the holder are rejected.
func TestSilentHolder(t *testing.T) {
	r := newRig(t)
	inv := r.conn.Invitation
	user := testkit.Must(lab.Dial(t.Context(), inv))(t)
	list := testkit.Must(user.Boards(t.Context()))(t)
	b := testkit.Must(list.Find("good"))(t)
	if _, err := user.Take(t.Context(), *b, lab.Wish{Who: "one who dies"}, nil); err != nil {
		t.Fatal(err)
	}
	user.Close() // like kill -9
	next := target("good")
	next.Lab.Wait = true
	open(t, next)
}

// A restart of the server during a run only delays it.
func TestServerRestarts(t *testing.T) {
	r := newRig(t)
	c := open(t, target("good"))
	jobs := testkit.Jobs[driver.Job](t, "man7.vec")
	ran := make(chan error, 1)
	stop := make(chan struct{})
	go func() {
		for {
			tally, err := (&driver.Runner{Transport: c, Tile: c.Tile}).Run(context.Background(), jobs)
			if err == nil && tally.Verdict() != driver.Pass {
				err = errors.New(tally.Verdict().String())
			}
			select {
			case <-stop:
				ran <- err
				return
			default:
			}
			if err != nil {
				ran <- err
				return
			}
		}
	}()
	for range 2 {
		listen := r.server.Listens()
		r.server.Close()
		r.serve(t, listen)
		r.wait(t, "good", lab.Taken)
	}
	close(stop)
	if err := <-ran; err != nil {
		t.Error(err)
	}
}

// A user is told within a second or two that the server is away, and not that the host is silent, until it is back.
func TestServerAway(t *testing.T) {
	r := newRig(t)
	of, told, over := target("good"), make(chan string, 10), make(chan bool, 10)
	of.Working = func(what string) func() { told <- what; return func() { over <- true } }
	open(t, of)
	for len(told) > 0 { // the messages about opening it
		<-told
		<-over
	}
	listen := r.server.Listens()
	r.server.Close()
	select {
	case what := <-told:
		if what != "no connection to the lab's server, waiting for 10s at most" {
			t.Error(what)
		}
	case <-time.After(2 * lab.Beat):
		t.Error("nothing is told of it")
	}
	r.serve(t, listen)
	<-over
}

// A target without a name is bad input. An unlisted board is not: its host may be about to report it.
func TestBadInput(t *testing.T) {
	newRig(t)
	for board, want := range map[string]struct {
		words string
		kind  failure.Kind
	}{
		"goood": {`no board "goood" (did you mean good?): there are first/bad, first/gone, first/good`,
			failure.Bench},
		"": {"which board? want lab:BOARD", failure.User},
	} {
		_, err := target(board).Open(t.Context())
		if err == nil || !strings.Contains(err.Error(), want.words) || failure.KindOf(err) != want.kind {
			t.Errorf("%q: %v", board, err)
		}
	}
	all, err := native.Expand(t.Context(), &target("").Lab, "lab:*")
	if err != nil || strings.Join(all, " ") != "lab:first/bad lab:first/gone lab:first/good" {
		t.Errorf("all of them are %q, %v", all, err)
	}
	if _, err := native.Expand(t.Context(), &target("").Lab, "lab:x*"); err == nil {
		t.Error("a pattern that fits no board is taken")
	}
}

// A board that could not be opened stays free and shows the reason until it is opened.
func TestCannotBeOpened(t *testing.T) {
	r := newRig(t)
	of := target("good")
	of.Tile = tileOfNobody{of.Tile}
	if _, err := of.Open(t.Context()); err == nil || failure.KindOf(err) != failure.User ||
		!strings.Contains(err.Error(), "the mock of a lab has only the tiles utf and factory") {
		t.Errorf("a tile that the host does not have: %v", err)
	}
	if b := r.wait(t, "good", lab.Free); b.Reason != "" {
		t.Errorf("a user's mistake is held against the board: %s", b.Reason)
	}
}

// tileOfNobody is a tile that no program has built in.
type tileOfNobody struct{ tile.Tile }

func (tileOfNobody) Name() string { return "nobodys" }

// A permitted key can stop a holder, who is told by whom. A holder that came meanwhile is not stopped.
func TestStopped(t *testing.T) {
	r := newRig(t)
	c := open(t, target("good"))
	var once sync.Once
	native.Follow(c, func() lab.Run {
		return lab.Run{Done: 1, Of: 2, Verdicts: "FAIL 1", First: "v", Around: []byte(`{"steps":[]}`)}
	})
	jobs := testkit.Jobs[driver.Job](t, "man7.vec")
	runner := driver.Runner{Transport: c, Tile: c.Tile, Report: func(*driver.Result) {
		once.Do(func() {
			b := r.follow(t, "good", func(b *lab.Board) bool { return b.Progress != nil && b.Progress.Run != nil })
			if want := (lab.Run{Done: 1, Of: 2, Verdicts: "FAIL 1", First: "v", Drawn: true}); b.Progress.Steps == 0 ||
				!reflect.DeepEqual(*b.Progress.Run, want) {
				t.Errorf("it has come to %+v, %+v", b.Progress, b.Progress.Run)
			}
			if text, err := r.server.Around(t.Context(), b); err != nil || string(text) != `{"steps":[]}` {
				t.Errorf("around its first failure: %s, %v", text, err)
			}
			other := *b
			other.Holder = &lab.Holder{Key: "first", Since: b.Holder.Since.Add(time.Second)}
			if err := r.server.Stop(t.Context(), &other, "pi1"); err == nil || !strings.HasSuffix(err.Error(),
				"its former user has released it") {
				t.Errorf("another is stopped: %v", err)
			}
			if err := r.server.Stop(t.Context(), b, "pi1"); err != nil {
				t.Error(err)
			}
		})
	}}
	tally, err := runner.Run(t.Context(), jobs)
	if err == nil || !strings.Contains(err.Error(), "the lease has ended: stopped by pi1 from the lab's page") {
		t.Errorf("the run: %v, %v", tally.Verdict(), err)
	}
	r.wait(t, "good", lab.Free)
	if e := r.server.Events(); !strings.Contains(fmt.Sprint(e), "was stopped by pi1 from the page: ") {
		t.Errorf("what happened: %v", e)
	}
	b := lab.Board{Host: "first", Name: "nothing", Holder: &lab.Holder{}}
	if err := r.server.Stop(t.Context(), &b, "pi1"); err == nil {
		t.Error("a board that is not there is stopped")
	}
}

// follow waits until a board meets a condition, and returns it.
func (r *rig) follow(t *testing.T, board string, wanted func(*lab.Board) bool) *lab.Board {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		list := r.server.Boards()
		if b, err := list.Find(board); err == nil && wanted(b) {
			return b
		}
	}
	t.Fatalf("%s is never as wanted: %+v", board, r.server.Boards())
	return nil
}
