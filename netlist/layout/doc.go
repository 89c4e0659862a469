// Package layout says where the cells and nets of a netlist are on the die, by the GDSII file of a tile and the LEF
// files of its cells.
//
// # Words
//
//   - A structure is a drawing with a name, a reference puts one into another. The property 61 of a reference is the
//     name of the instance, as place and route writes it. A macro is what LEF says of a cell: its size, and the
//     rectangles of its pins by layer.
//   - A net is traced: the rectangles of the tile's own drawing on the layers of wires, and those of the cells' pins,
//     are one where they touch, or where a cut joins them between two layers. What is inside of cells is not looked at,
//     but for the pins.
//   - Neighbours are two nets that run side by side on one layer, at most 250 nm apart.
//
// # What is known
//
// Coordinates are whole nanometres inside of the package, and micrometres of the tile's drawing for others. GDSII has
// numbers where LEF has names of layers: which is which is known of SkyWater's sky130 alone. Only right angles are
// understood; a shape of the tile's with others is taken for none.
package layout

import "fmt"

// An Error is a layout that the package does not understand.
type Error struct{ What string }

func (e *Error) Error() string { return e.What }

func refuse(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }
