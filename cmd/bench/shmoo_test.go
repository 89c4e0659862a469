package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/runs/plan"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// The vectors of a cell move every line both ways, so that none is left out of what a shmoo says.
func TestTelling(t *testing.T) {
	jobs, err := (&plan.Selection{Tile: utf.TT09, Match: everyLineVectors}).Jobs()
	if err != nil || len(jobs) != 36 {
		t.Fatal(err, len(jobs))
	}
	steps := 0
	var rises, falls, levels uint32 // ui, uio, uo, rst_n
	r := driver.Runner{Transport: mock.Open(mock.Config{Tile: utf.TT09}), Tile: utf.TT09,
		Report: func(r *driver.Result) {
			trace := r.Trace
			for i, s := range trace.Steps {
				now := uint32(s.In) | uint32(s.IO&s.Drive|trace.Got[i].IO&^s.Drive)<<8 | uint32(trace.Got[i].Out)<<16
				if !s.Reset {
					now |= 1 << 24
				}
				rises, falls, levels = rises|now&^levels, falls|levels&^now, now
			}
			steps += len(trace.Steps)
		}}
	if _, err := r.Run(t.Context(), jobs); err != nil || steps != 1352 || rises&falls != 1<<25-1 {
		t.Errorf("%v; %d steps, of ui, uio, uo and rst_n rise %b and fall %b", err, steps, rises, falls)
	}
}

// An interrupted shmoo draws what was measured, and says that it is not whole.
func TestInterruptedShmoo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var said bytes.Buffer
	if code := run(ctx, []string{"shmoo"}, devNull(t), &said, devNull(t)); code != exitInterrupted ||
		!strings.Contains(said.String(), "not whole: 0 of 12 cells were measured\n") {
		t.Errorf("exit code %d, %s", code, &said)
	}
}
