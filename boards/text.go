package boards

import (
	"fmt"
	"io"
	"strings"

	"utfbench/internal/printable"
	"utfbench/transport"
)

// A SignalNames returns the tile's name for a signal, or "".
type SignalNames func(signal string) string

// WriteList lists the built-in boards.
func WriteList(w io.Writer) error {
	table := printable.NewTable("board", "transport", "is")
	for _, b := range All() {
		table.Row(b.Name, b.Transport, b.Title)
	}
	return table.Write(w)
}

// WriteText writes the wiring as text.
func WriteText(w io.Writer, b *Board, of SignalNames) error {
	var s strings.Builder
	fmt.Fprintf(&s, "%s: %s\n\n", b.Name, b.Title)
	if b.Header == "" {
		table(&s, b)
	}
	if b.PMODs != nil {
		s.WriteString("\nPMOD headers, where a probe reaches each line\n")
	}
	header(&s, b.HeaderPins(), of)
	for _, p := range b.HighPins {
		fmt.Fprintf(&s, "\npin %s is kept high\n", p.Name)
	}
	if m := b.Mux; m != nil {
		fmt.Fprintf(&s, "\nmux    nrst %s, inc %s, ena %s", m.NRst.Name, m.Inc.Name, m.Ena.Name)
		if m.Select.Name != "" {
			fmt.Fprintf(&s, "; %s selects: low the mux, high uo", m.Select.Name)
		}
		s.WriteString("\n")
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// header draws two pins per row, with pin 1 at the top left as on the board.
func header(s *strings.Builder, pins []HeaderPin, of SignalNames) {
	widest := 0
	for i := 0; i < len(pins); i += 2 {
		if n := len(of(pins[i].Signal)); n > 0 {
			widest = max(widest, n+1)
		}
	}
	for i := 0; i+1 < len(pins); i += 2 {
		l, r := pins[i], pins[i+1]
		row := fmt.Sprintf("%*s%6s  %6s  %2d o o %-2d  %-6s  %-5s  %s", widest, of(l.Signal), l.Signal, l.Name,
			l.Number, r.Number, r.Name, r.Signal, of(r.Signal))
		s.WriteString(strings.TrimRight(row, " ") + "\n")
	}
}

// table writes clk and rst_n, then one bus per row.
func table(s *strings.Builder, b *Board) {
	width := 0
	for _, p := range b.Pins {
		width = max(width, len(p.Name))
	}
	if b.Chips != nil {
		fmt.Fprintf(s, "GPIO chip  %s\n\n", strings.Join(b.Chips, " or "))
	}
	s.WriteString("the GPIO of each line\n")
	for _, signal := range transport.Lines[transport.Clk:] {
		fmt.Fprintf(s, "%-5s  %s\n", signal, b.Pins[signal].Name)
	}
	fmt.Fprintf(s, "\n%-5s", "bit")
	for bit := range 8 {
		fmt.Fprintf(s, "  %*d", width, bit)
	}
	s.WriteString("\n")
	for i, bus := range transport.Buses {
		fmt.Fprintf(s, "%-5s", bus)
		for bit := range 8 {
			fmt.Fprintf(s, "  %*s", width, b.Pins[transport.Lines[8*i+bit]].Name)
		}
		s.WriteString("\n")
	}
}
