package rp2040

import (
	"context"
	"fmt"
	"strings"

	"utfbench/transport"
)

// A ROM holds the values in the chip's ROM.
type ROM struct {
	Shuttle string `json:"shuttle"`
	Repo    string `json:"repo,omitempty"`
	Commit  string `json:"commit,omitempty"`
}

// ReadROM selects the chip's ROM and returns its bytes at romAddresses. The caller must then select another design.
func (c *Console) ReadROM(ctx context.Context, m Mux, pins map[string]int) (read []byte, err error) {
	return c.ReadROMAt(ctx, m, pins, 0)
}

// ReadROMAt reads the ROM at a given number on the mux, for a mux that may miscount.
func (c *Console) ReadROMAt(ctx context.Context, m Mux, pins map[string]int, number int) (read []byte, err error) {
	if err := c.Select(ctx, m, pins, number); err != nil {
		return nil, err
	}
	addresses := romAddresses()
	var levels []int
	if err := c.ask(ctx, &levels, "rom", busPins(pins, transport.UI), busPins(pins, transport.UO),
		addresses); err != nil {
		return nil, err
	}
	for _, level := range levels {
		read = append(read, byte(level))
	}
	if len(read) != len(addresses) {
		return nil, c.wrap(fmt.Errorf("the board read %d bytes of the chip's ROM, not %d", len(read), len(addresses)))
	}
	return read, nil
}

// romAddresses lists the addresses to read from the chip's ROM: two marks, then the text.
func romAddresses() []int {
	all := []int{0, 129}
	for i := 32; i < 128; i++ {
		all = append(all, i)
	}
	return all
}

// ParseROM parses the bytes at romAddresses: marks, then words KEY=VALUE, one per line; nil without marks or shuttle.
func ParseROM(read []byte) *ROM {
	if read[0] != 0x78 || read[1] != 0 {
		return nil
	}
	text, _, _ := strings.Cut(string(read[2:]), "\x00")
	var r ROM
	fields := map[string]*string{"shuttle": &r.Shuttle, "repo": &r.Repo, "commit": &r.Commit}
	for line := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(line, "=")
		if f := fields[key]; f != nil {
			*f = value
		}
	}
	if r.Shuttle == "" { // no valid line names the shuttle
		return nil
	}
	return &r
}
