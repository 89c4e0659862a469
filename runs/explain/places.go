package explain

import (
	"fmt"
	"strings"

	"utfbench/boards"
)

// Places says where lines are, in brackets: the board's pins, and their positions on its header.
func Places(b *boards.Board, lines []string) string {
	position := map[string]int{}
	for _, p := range b.HeaderPins() {
		position[p.Signal] = p.Number
	}
	var all []string
	for _, line := range lines {
		pin, ok := b.Pins[line]
		if !ok {
			continue
		}
		place := fmt.Sprintf("%s at pin %s", line, pin.Name)
		if n := position[line]; n > 0 {
			place += fmt.Sprintf(", number %d of the header", n)
		}
		all = append(all, place)
	}
	if all == nil {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}
