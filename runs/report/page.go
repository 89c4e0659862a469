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

	Tile      tile.Tile     // the reference for the diagnosis of failures; nil is no diagnosis
	Board     *boards.Board // of the run
	Simulated bool          // a simulation of a design, without wires

	Context      context.Context // ends the diagnosis; nil is never
	AllowPartial bool            // write the page even if Context ended it

	Origin      string     // the recorded target, if a recording was judged
	OriginStart *Start     // the recording's start, likewise; else nil
	Number      func() int // returns the number in the history after the run, or 0; may be nil
}

//go:embed style.css
var style string

// StyleSheet returns the CSS for pages like this one. The class of a colour is a verdict in lower case.
func StyleSheet() string {
	sheet := style
	for _, v := range driver.Verdicts {
		sheet += fmt.Sprintf(".%s{--edge:var(--%s)}\n", strings.ToLower(v.Name), v.Tone)
	}
	return sheet
}
