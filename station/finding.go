package station

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/printable"
)

// A Finding is the result of checking one layer between bench and chip.
type Finding struct {
	Mark  string // ok, NO, or -- for a layer that was not checked or that the user must check
	Layer string // as in "firmware"
	Text  string // describes the layer, or the fault and its remedy
	Err   error  // set for a layer that later layers need
}

// String returns the finding as a line.
func (f Finding) String() string { return fmt.Sprintf("%-3s %-16s %s", f.Mark, f.Layer, f.Text) }

// layerWires begins the name of the layer that the wiring check tests.
const layerWires = "wires"

// HasWrongSamples reports whether the finding says that the wiring check found a fault, in the wires or in the chip.
func (f Finding) HasWrongSamples() bool {
	return f.Mark == "NO" && strings.HasPrefix(f.Layer, layerWires)
}

// MarshalJSON encodes the finding as an object, with null for the mark --.
func (f Finding) MarshalJSON() ([]byte, error) {
	well := map[string]any{"ok": true, "NO": false}[f.Mark]
	return json.Marshal(struct {
		Layer string `json:"layer"`
		Well  any    `json:"ok"`
		Text  string `json:"text"`
	}{f.Layer, well, f.Text})
}

// personal matches paths, including paths of ports, and the id of a board.
var personal = printable.LazyRegexp(`(^|[\s:=("'])(?:[/~]|[A-Za-z]:\\)[^\s:,;"')]+|\bid [0-9a-f]{8,}`)

// AnonymiseFindings returns the findings without personal data.
func AnonymiseFindings(all []Finding) []Finding {
	all = slices.Clone(all)
	for i := range all {
		all[i].Text = personal().ReplaceAllString(all[i].Text, "$1...")
	}
	return all
}
