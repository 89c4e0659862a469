package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/golden"
	"utfbench/internal/cli"
	"utfbench/internal/document"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/sweep"
	"utfbench/tile"
	"utfbench/tile/utf"
)

// sweeping holds the flags of every sweep.
type sweeping struct {
	sweep.Session
	target   target
	scope    tile.Scope
	noWiring bool
	tagged   tagging
	tags     document.Tags

	json  string
	files files.Set
	made  *sweep.Certificate
	save  func(report.About) error // writes --json
}

func (o *sweeping) flags(cmd *cobra.Command) {
	o.tagged.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.scope.Space, "space", usual.Spaces()[0], "what to sweep: "+strings.Join(usual.Spaces(), ", "))
	f.IntVar(&o.scope.Depth, "depth", utf.DefaultDepth, fmt.Sprintf("ops: operations in a sequence, 1 to %d",
		utf.MaxDepth))
	f.IntVar(&o.scope.Values, "values", utf.DefaultValues, fmt.Sprintf("values: how many are drawn, 0 to %d",
		utf.MaxValues))
	f.StringVar(&o.Certificate, "certificate", "", "write the certificate to this file")
	f.StringVar(&o.json, "json", "", "write the result to this file, for other programs;  "+standardWords)
	f.BoolVar(&o.Force, "force", false, "replace an existing certificate")
	f.StringVar(&o.State, "state", "", "keep finished blocks in this file meanwhile (default: the "+
		"certificate's name with .part)")
	f.Var(cli.AtLeast(&o.MaxFailures, 10_000, 0), "max-failures", "begin no further block after N wrong cases; 0 is "+
		"no limit")
	f.BoolVar(&o.CarryAll, "plain", false, "send every step, even where the far end could generate them and sign the "+
		"samples, as a demo board can")
	noWiringFlag(f, &o.noWiring)
}

// settle fills in defaults, checks the certificate, and begins the file of --json.
func (o *sweeping) settle(cmd *cobra.Command) (err error) {
	if o.tags, err = o.tagged.tags(); err != nil {
		return err
	}
	if err := o.CheckCertificate(); err != nil {
		return err
	}
	o.scope = utf.SettleScope(o.scope, o.target.Seed, cmd.Flags().Changed)
	if o.State == "" && o.Certificate != "" {
		o.State = files.PartName(o.Certificate)
	}
	o.files.Out = standard(cmd, o.json)
	o.save, err = files.Begin(&o.files, files.Output[report.About]{Flag: "--json", Path: o.json,
		Write: func(a report.About, w io.Writer) error { return o.JSON(w, a, o.made) }})
	return err
}

// choose selects the space, compared with a tile, and the shard.
func (o *sweeping) choose(t tile.Tile, revision, shard string) error {
	o.Tile, o.scope.Revision = t, revision
	return o.Select(o.scope, shard)
}

func (o *sweeping) begin(by *sweep.Provenance) error {
	vectors, err := sweep.HashFiles(golden.FS())
	if err != nil {
		return benchFault(err)
	}
	o.Head = sweep.NewHead(o.scope, o.Space, o.Range, vectors, *by)
	return o.Begin()
}

// provenance identifies the chip and the bench.
func (o *sweeping) provenance(c *station.Chip) *sweep.Provenance {
	return &sweep.Provenance{Bench: version(), Transport: c.String(), Chip: c.Asked,
		Conditions: report.Conditions(c.Target), Tags: o.tags}
}

// end writes the result of a sweep.
func (o *sweeping) end(cmd *cobra.Command, about report.About, injected string) error {
	if err := cmp.Or(o.End(cmd.OutOrStdout(), o.made, injected), o.save(about)); err != nil {
		return benchFault(err)
	}
	return judged(o.made.Verdict())
}

// A blockBar is the progress of a sweep.
type blockBar struct {
	*cli.Bar
	steps int
}

// newBlockBar returns a bar for the remaining blocks.
func newBlockBar(total int) *blockBar { return &blockBar{Bar: cli.NewBar(total, "blocks")} }

// bar returns a bar for the blocks that are left.
func (o *sweeping) bar() *blockBar { return newBlockBar(o.Range.End - o.Range.First - len(o.Blocks())) }

func (b *blockBar) add(block sweep.Answer) {
	b.steps += block.Steps
	b.Unit = sweep.Rate(b.steps, b.Took()) + ", blocks"
	b.Add(1)
}
