package rtl

import (
	"context"

	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport/verilog"
)

// An Inspected is a tile whose Verilog a simulator has read and elaborated, and not run. It has no reference.
type Inspected struct {
	project.Described
	*verilog.Look
}

var _ tile.Tile = Inspected{}

// Inspect reads the sources of a project. Nothing of them is executed, whoever has written them.
func Inspect(ctx context.Context, p *project.Project, c verilog.Config) (Inspected, error) {
	look, err := verilog.Inspect(ctx, Config(p, c))
	return Inspected{project.Described{About: p}, look}, err
}

// Revision implements tile.Tile, like that of a Tile.
func (t Inspected) Revision() string { return tile.OfSources + t.Digest[:10] }

// Driven are the lines of uio that the design may drive and those that it always drives, as its author says or else as
// constants in its text do.
func (t Inspected) Driven() (may, always uint8) {
	if own := t.About.Outputs; own != nil {
		return *own, *own
	}
	return t.May, t.Always
}

// Unlisted says which files were read that info.yaml does not list; "" for none.
func (t Inspected) Unlisted() string { return verilog.Unlisted(t.Files, t.About.Paths()) }

// Unlisted says which files were read that info.yaml does not list; "" for none.
func (t *Tile) Unlisted() string { return verilog.Unlisted(t.design.Files(), t.About.Paths()) }

// Unnamed are calls that read a file whose name the text does not say, so that it is in no digest.
func (t *Tile) Unnamed() []string { return t.design.Unnamed() }
