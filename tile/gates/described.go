package gates

import (
	"embed"
	"io/fs"
	"os"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport"
)

// A DescribedTile is a tile made from its author's description, without a reference. A Tile adds the design.
type DescribedTile struct {
	About  *project.Project
	Reason error // why there is no reference; nil if none is wanted
}

// ProjectOf returns the project from which a tile was opened, or nil.
func ProjectOf(t tile.Tile) *project.Project {
	if d, is := t.(interface{ about() *project.Project }); is {
		return d.about()
	}
	return nil
}

// MissingReference returns the reason why a tile has no reference; nil if it has one or none is wanted.
func MissingReference(t tile.Tile) error {
	d, _ := t.(DescribedTile)
	return d.Reason
}

func (d DescribedTile) about() *project.Project { return d.About }

var (
	_ tile.Tile           = DescribedTile{}
	_ tile.Namer          = DescribedTile{}
	_ tile.Resetter       = DescribedTile{}
	_ tile.FabricatedTile = DescribedTile{}
	_ tile.VectorSource   = DescribedTile{}
)

// Name implements tile.Tile: the top module.
func (d DescribedTile) Name() string { return d.About.Top }

// Revision implements tile.Tile: a description has none.
func (DescribedTile) Revision() string { return "" }

func (DescribedTile) Others() []tile.Tile { return nil }

func (DescribedTile) New() tile.Reference { return tile.SilentReference{} }

func (d DescribedTile) Idle() uint8 { return d.About.Idle }

// Drives implements tile.Tile: the lines of `uio_outputs` in bench-tile.yaml, or all lines without it.
func (d DescribedTile) Drives(transport.Step) uint8 {
	if own := d.About.Outputs; own != nil {
		return *own
	}
	return 0xFF
}

func (d DescribedTile) Lint(steps []transport.Step) error {
	for i, s := range steps {
		switch both := (s.Drive | transport.LingeringLines(steps, i)) & d.Drives(s); {
		case both == 0:
		case d.About.Outputs == nil:
			return &tile.IllegalStepError{Step: i, Reason: tile.UnknownDirectionReason}
		default:
			return &tile.IllegalStepError{Step: i, Reason: "bench and chip might both drive " + tile.Hex(both, 0) +
				" of uio: `uio_outputs` in " + project.OwnName + " has them as outputs"}
		}
	}
	return nil
}

func (d DescribedTile) ResetStep() transport.Step { return d.About.ResetStep() }

func (d DescribedTile) Inputs() []string { return d.About.ShortNames("ui") }

func (d DescribedTile) Outputs(uint8) []string { return d.About.ShortNames("uo") }

func (d DescribedTile) BusNames() []string { return d.About.ShortNames("uio") }

// Dialect implements tile.VectorSource: vectors consist of raw steps.
func (d DescribedTile) Dialect() golden.Dialect {
	return golden.PlainDialect{Reset: d.ResetStep(), RevisionNames: tile.Revisions(d)}
}

// Vectors implements tile.VectorSource: the folder named by bench-tile.yaml, or an empty one.
func (d DescribedTile) Vectors() fs.FS {
	if d.About.VectorDir == "" {
		return embed.FS{}
	}
	return os.DirFS(d.About.VectorDir)
}

func (d DescribedTile) Project() string { return d.About.Top }

// RevisionOfCommit implements tile.FabricatedTile: there is one revision. Package station compares commits.
func (d DescribedTile) RevisionOfCommit(string) (tile.Tile, bool) { return d, true }
