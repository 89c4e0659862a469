package demoboard

import (
	"cmp"
	"fmt"

	"utfbench/transport/rp2040"
)

// SDK describes Tiny Tapeout's SDK on the board and its view of the chip; it returns "" if there is no SDK.
func (b *Board) SDK() string {
	sdk := b.Facts.SDK
	if sdk == nil {
		return ""
	}
	return fmt.Sprintf("%s, on a board %s; %s", sdk.Version, cmp.Or(sdk.Carrier, "that it does not name"), chipOf(sdk))
}

func chipOf(sdk *rp2040.SDK) string {
	switch {
	case sdk.Read:
		return fmt.Sprintf("shuttle %s, commit %s", sdk.Shuttle, cmp.Or(sdk.Commit, "unknown"))
	case sdk.Shuttle == "", sdk.Shuttle == "unknown": // as the SDK says
		return "the SDK cannot tell the shuttle"
	}
	return "the SDK takes the chip for " + sdk.Shuttle
}
