package demoboard

import (
	"cmp"
	"fmt"

	"utfbench/transport/rp2040"
)

// SDK describes Tiny Tapeout's SDK on the board, the chip as it sees it, and the selected design; "" without one.
func (b *Board) SDK() string {
	sdk := b.Facts.SDK
	if sdk == nil {
		return ""
	}
	return fmt.Sprintf("%s, on a board %s; %s; design %s", sdk.Version, cmp.Or(sdk.Carrier, "that it does not name"),
		chipOf(sdk), selected(sdk))
}

// chipOf describes the SDK's view of the chip.
func chipOf(sdk *rp2040.SDK) string {
	switch {
	case sdk.Read:
		return fmt.Sprintf("shuttle %s, commit %s", sdk.Shuttle, cmp.Or(sdk.Commit, "unknown"))
	case sdk.Shuttle == "", sdk.Shuttle == "unknown": // as the SDK says
		return "the SDK cannot tell the shuttle"
	}
	return "the SDK takes the chip for " + sdk.Shuttle
}

// selected returns the design that the SDK has enabled.
func selected(sdk *rp2040.SDK) string {
	if sdk.Design == "" {
		return "none is selected"
	}
	text := fmt.Sprintf("%s, number %d", sdk.Design, sdk.Number)
	if sdk.Clock != 0 {
		text += fmt.Sprintf(", clocked at %d Hz", sdk.Clock)
	}
	return text
}
