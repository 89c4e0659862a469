package demoboard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"utfbench/transport"
	"utfbench/transport/rp2040"
)

// held returns an error if something drives an input of the chip against the bench. It adds notes on weaker drivers.
func (b *Board) held(ctx context.Context) error {
	h, err := b.FindHeldInputs(ctx, b.pins)
	if err != nil {
		return err
	}
	if err := against(h); err != nil {
		return err
	}
	b.Notes = append(b.Notes, givesWay(h)...)
	return nil
}

// against returns an error for inputs held against the bench. If possible, it tells outputs from DIP switches, which
// connect to the supply and so never hold a line low.
func against(h rp2040.HeldInputs) error {
	const pmod = "unplug the ui PMOD header"
	if len(h.Pairs) > 0 {
		return fmt.Errorf("%s keep the bench's level only while both have it, so they are shorted together: look for "+
			"the short between them", inputs(h.Pairs[0][:])) // only the first pair
	}
	switch high, low := inputs(h.High), inputs(h.Low); {
	case high == "" && low == "":
		return nil
	case high == "":
		return fmt.Errorf("something holds %s low against the bench, which no DIP switch does: %s, and look for a "+
			"short to ground or to an output", low, pmod)
	case low == "":
		return fmt.Errorf("something holds %s high against the bench: %s, switch the board's DIP switches off, and "+
			"look for a short to the supply", high, pmod)
	default:
		return fmt.Errorf("something holds %s high and %s low against the bench: %s, switch the board's DIP switches "+
			"off, and look for shorts", high, low, pmod)
	}
}

// givesWay returns notes on lines with external drivers that the bench can override.
func givesWay(h rp2040.HeldInputs) (notes []string) {
	still := slices.DeleteFunc(slices.Clone(h.Loose), func(bit int) bool { return slices.Contains(h.Changing, bit) })
	if len(h.Changing) > 0 {
		notes = append(notes, fmt.Sprintf("%s seen changing while released, which no DIP switch does: "+
			"unplug the module in the ui PMOD header", inputs(h.Changing)))
	}
	if len(still) > 0 {
		notes = append(notes, fmt.Sprintf("%s held high by something that gives way: switch its DIP switch off, "+
			"or unplug the module in the ui PMOD header", inputs(still)))
	}
	return notes
}

func inputs(bits []int) string {
	var names []string
	for _, bit := range bits {
		names = append(names, transport.Lines[transport.UI+bit])
	}
	return strings.Join(names, ", ")
}
