package report

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"

	"utfbench/boards"
	"utfbench/driver"
	"utfbench/tile"
)

// PageOptions are the options of a run's page, which package explain writes. Only Out is required.
type PageOptions struct {
	Out io.Writer

	Tile      tile.Tile     // the reference for diagnosing failures; nil for no diagnosis
	Board     *boards.Board // of the run
	Simulated bool          // the chip is a simulated design, without wires

	Context      context.Context // ends the diagnosis; nil for no limit
	AllowPartial bool            // write the page even if Context ends the diagnosis

	Origin      string     // the target of the recorded run, if a recording was judged; or ""
	OriginStart *Start     // the start of that recording; or nil
	Number      func() int // returns the run's number in the history once it has ended, or 0; may be nil
}

//go:embed style.css
var style string

// StyleSheet returns the CSS of the bench's pages. The class of a verdict's colour is the verdict in lower case.
func StyleSheet() string {
	sheet := style
	for _, v := range driver.Verdicts {
		sheet += fmt.Sprintf(".%s{--edge:var(--%s)}\n", strings.ToLower(v.Name), v.Tone)
	}
	return sheet
}
