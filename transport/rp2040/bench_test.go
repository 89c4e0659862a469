package rp2040

import (
	"context"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
)

// Times per byte, measured over the USB of an RP2040 at 125 MHz.
const (
	nsByteIn  = 7850
	nsByteOut = 1250
)

// BenchmarkChipSuite reports the bytes per step in each direction, without set-up, and the step rate that USB allows.
func BenchmarkChipSuite(b *testing.B) {
	tr := mustOpen(b, &fake{}, Config{Patience: time.Minute})
	defer tr.Close()
	jobs := testkit.Jobs[driver.Job](b, "chip.vec")
	sent, received, steps := tr.link.sent, tr.link.received, 0
	for b.Loop() {
		r := driver.Runner{Transport: tr, Tile: utf.TT09}
		tally, err := r.Run(context.Background(), jobs)
		if err != nil || tally.Verdict() != driver.Pass {
			b.Fatal(tally, err)
		}
		steps += tally.Steps
	}
	in, out := float64(tr.link.sent-sent)/float64(steps), float64(tr.link.received-received)/float64(steps)
	b.ReportMetric(in, "B-in/step")
	b.ReportMetric(out, "B-out/step")
	b.ReportMetric(1e6/(in*nsByteIn+out*nsByteOut), "ksteps/s-USB")
}
