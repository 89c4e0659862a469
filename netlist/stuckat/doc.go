// Package stuckat breaks one pin of one cell of a netlist at a time, and says which vectors show it.
//
// # Words
//
//   - A stuck-at fault is a pin of a cell that keeps one level whatever drives it: at an output the whole net does, at
//     an input that one branch of it. A flip-flop's clock that is stuck keeps it from taking anything. These are faults
//     inside of the chip; those of package fault are in the wires between bench and chip.
//   - A transition fault is a pin that is slow: it shows a new level a clock too late. Slow to rise: at a rising edge
//     of clk, and at the looks until the next, it is high only if it would have been high at the edge before as well.
//     Slow to fall is the same for low. Before the first edge of a vector nothing is late. So what is launched by an
//     edge, or by inputs that changed since, is missed by the flip-flops at the next edge, and by the look behind it.
//   - A class is faults that are equivalent by the structure of the netlist.
//   - A fault is found at the first step at which a line shows another level than a right chip, where that is known. It
//     has to be found from both power-ups: all flip-flops 0 and lines that nobody drives read as 0, and all of both 1.
//     Each vector begins in such a state.
//   - A frame is what the logic is asked at one moment: a state, inputs, and whether flip-flops take it (a clock) or
//     the lines are looked at (a look). A fault acts in a frame if a flip-flop takes another bit there, or a line shows
//     another level.
//
// # How it is simulated
//
// The chip without a fault does all vectors, which gives their frames. The same frames come again and again: a third of
// them are distinct. One fault is put into the netlist; in 256 frames at a time, of which only those gates are computed
// that the fault changes, it is found out where it acts. Where it acts nowhere it is done with. Where a line shows it
// before any flip-flop took something wrong it is found. From where else it acts the vector is simulated with the
// fault, up to 256 of them side by side, until a line shows it or the chip is right again.
//
// Lanes are frames and vectors of one fault, and not faults: what costs time is the faults that are never found, which
// are few, and act seldom.
package stuckat
