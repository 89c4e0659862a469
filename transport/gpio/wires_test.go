package gpio

import (
	"fmt"
	"sync"

	"utfbench/model"
	"utfbench/transport"
)

// wires holds the 26 lines with a chip at their far end; every fake of this package has one. It observes each change of
// a line separately and records violations. An undriven line keeps its level.
type wires struct {
	mu    sync.Mutex
	chip  *model.Chip
	out   uint32 // lines that the bench drives
	level uint32
	wrong []string // the first few violations
	moves int      // changes of lines by the bench
}

func newWires(rev model.Revision) *wires { return &wires{chip: model.New(rev)} }

func (w *wires) complain(format string, args ...any) {
	if len(w.wrong) < 5 {
		w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
	}
}

func (w *wires) drive(out, level uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	level = w.level&^out | level&out
	moved := level ^ w.level
	if moved != 0 {
		w.moves++
	}
	rises := moved&level&transport.MaskClk != 0
	if rises && moved != transport.MaskClk {
		w.complain("the lines %07x move together with clk", moved&^transport.MaskClk)
	}
	w.out, w.level = out, level
	w.contention()
	if rises {
		w.edge()
	}
}

func (w *wires) contention() {
	if w.out&transport.MaskUO != 0 {
		w.complain("the bench drives uo: %07x", w.out)
	}
	if w.out&transport.MaskUIO != 0 && w.level&uint32(model.READ) != 0 {
		w.complain("contention: READ is high and the bench drives uio: %07x", w.out)
	}
}

func (w *wires) step() transport.Step {
	return transport.Step{In: uint8(w.level), IO: uint8(w.level & w.out >> transport.UIO),
		Drive: uint8(w.out >> transport.UIO), Reset: w.level&transport.MaskRstN == 0}
}

func (w *wires) edge() {
	if w.out&maskOwn != maskOwn {
		w.complain("a clock pulse while the bench does not drive all of ui and rst_n: %07x", w.out)
	}
	s := w.step()
	s.IO = uint8(w.level >> transport.UIO)
	s.Clocks = 1
	w.chip.Step(s)
}

// levels returns the levels of all lines. An output unknown to the model reads as 0.
func (w *wires) levels() uint32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	sample := w.chip.Sample(w.step())
	chip := uint32(transport.MaskUO)
	if w.level&uint32(model.READ) != 0 {
		chip |= transport.MaskUIO &^ w.out
	}
	shown := uint32(sample.Out)<<transport.UO | uint32(sample.IO)<<transport.UIO
	w.level = w.level&^chip | shown&chip
	return w.level
}

// pins returns the lines after Close, when nothing may be driven.
func (w *wires) pins() transport.Step {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.step()
	if w.out != 0 {
		w.complain("lines are still driven: %07x", w.out)
		s.Clocks = 255
	}
	return s
}
