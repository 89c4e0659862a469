//go:build unix

package web_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"utfbench/boards"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
	"utfbench/transport/rp2040/demoboard"
	"utfbench/web"
)

// onBoard runs an order on an emulated demo board whose design holds low the lines of uo that are set in held.
func onBoard(t *testing.T, order string, held uint8) (v *web.VerdictEvent) {
	t.Helper()
	wiring := testkit.Must(boards.Open("tt-demo-rp2350"))(t)
	pins, _, err := wiring.PinNumbers()
	if err != nil {
		t.Fatal(err)
	}
	n := testkit.Must(wiring.MuxPinNumbers())(t)
	designs := map[string]int{utf.TT09.Project(): 897, "tt_um_factory_test": 1}
	board := boardtest.Start(t, boardtest.Config{Pins: pins, Machine: "TinyTapeout RP2350B Core with RP2350",
		HeldOutputs: held, SDK: &boardtest.SDK{Version: "3.0.6", Designs: designs},
		Mux: &boardtest.Mux{NRst: n[0], Inc: n[1], Ena: n[2], Select: n[3], Number: 897,
			ROM: "shuttle=tt09\nrepo=TinyTapeout/tinytapeout-09\ncommit=c9701782\n"}})
	o := testkit.Must(web.ReadOrder([]byte(order)))(t)
	s := web.Session{Send: func(e web.Event) {
		switch last := e.Value.(type) {
		case *web.VerdictEvent:
			v = last
		case *web.ErrorEvent:
			t.Fatalf("%+v", last)
		}
	}, OpenSerial: func(context.Context, string) (io.ReadWriteCloser, error) { return demoboard.OpenPort(board.TTY) }}
	s.Run(t.Context(), o)
	if board.Lines() != transport.ParkStep {
		t.Errorf("it is not parked: %+v", board.Lines())
	}
	board.Check(t)
	return v
}

// If a chip responds wrongly before the first vector, the output says so even if the vectors miss the fault.
func TestBoard(t *testing.T) {
	const order = `{"transport": "rp2040", "patience": "1m", "run": "in32-00000041", "shuttle": "tt08"}`
	good := onBoard(t, order, 0)
	if good.Verdict != "WEAK" || strings.Contains(good.Text, "before the first vector: ") ||
		good.Chipless || !strings.Contains(good.BoardState, "the chip is parked") ||
		!strings.Contains(good.Text, "the link names the shuttle tt08, and the chip's ROM says tt09") {
		t.Errorf("a good chip is %+v", good)
	}

	bad := onBoard(t, order, 0x08)

	if bad.Verdict != "WEAK" || !strings.Contains(bad.Text, "before the first vector: ") {
		t.Errorf("a chip that keeps uo3 low is %+v", bad)
	}
}
