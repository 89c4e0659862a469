package station

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/tile/utf"
	"utfbench/transport"

	"utfbench/transport/mock"
	"utfbench/transport/rp2040"
)

// leaving is a transport that reports the final state of its board.
type leaving struct {
	*mock.Transport
	left rp2040.BoardState
}

func (l leaving) BoardState() rp2040.BoardState { return l.left }

// The final state of a board is reported, even at speed. A board is reported as parked only if it has confirmed that.
func TestLeft(t *testing.T) {
	for _, c := range []struct {
		left        rp2040.BoardState
		want, never string
	}{
		{rp2040.BoardState{SDKInstalled: true, SDKStarted: true}, "the chip is parked, and the SDK's tt is available",
			"not known"},
		{rp2040.BoardState{SDKInstalled: true}, "bench park --reboot", "not known"},
		{rp2040.BoardState{SDKInstalled: true, SDKStarted: true, Unparked: true},
			"the chip is not parked (bench park parks it), and the SDK's tt is available", "is parked"},
		{rp2040.BoardState{SDKInstalled: true, Unparked: true}, "not parked (bench park parks it), without",
			"is parked"},
		{rp2040.BoardState{}, "", "parked"},
		{rp2040.BoardState{ParksAfter: 3 * time.Second}, "it is not known whether the chip is parked", "tt is there"},
		{rp2040.BoardState{SDKInstalled: true, SDKStarted: true, ParksAfter: 1e10 - 1}, "within 10s", "and tt"},
	} {
		slow := leaving{mock.Open(mock.Config{Tile: utf.TT09}), c.left}
		fast, err := transport.NewPlayer(t.Context(), slow, transport.Timing{Period: time.Microsecond})
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range []transport.Transport{slow, fast} {
			got := (&Chip{Transport: tr}).LeftState()
			if !strings.Contains(got, c.want) || strings.Contains(got, c.never) || (c.want == "") != (got == "") {
				t.Errorf("%+v: %q; want %q and no %q", c.left, got, c.want, c.never)
			}
		}
	}
}

// failing is a transport that stops responding after some number of calls.
type failing struct {
	leaving
	calls int
}

func (f *failing) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if f.calls--; f.calls < 0 {
		return 0, errors.New("no answer")
	}
	return f.leaving.Apply(ctx, steps, samples)
}

// Whichever layer ends an examination, the error contains the final state of the board.
func TestDoctorSaysHowItLeavesABoard(t *testing.T) {
	for calls := range 10 {
		of := wiredMock(t, "uo3=stuck1", func(tr transport.Transport) transport.Transport {
			return &failing{leaving{tr.(*mock.Transport), rp2040.BoardState{SDKInstalled: true}}, calls}
		})
		verdict, err := of.Examine(t.Context(), func(Finding) {})
		var left *BoardStateError
		if failed := verdict == driver.Error; failed != (err != nil) || failed != errors.As(err, &left) ||
			failed && !strings.Contains(left.BoardState, "bench park --reboot") {
			t.Errorf("after %d calls: %v, %v, %+v", calls, verdict, err, left)
		}
	}
}
