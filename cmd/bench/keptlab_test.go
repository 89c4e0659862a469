//go:build unix

package main

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"utfbench/station/native"
	"utfbench/transport/lab"
)

// A lab keeps the run of a board, whose report and bundle are there for a browser.
func TestLabKeepsRun(t *testing.T) {
	t.Parallel()
	s, invite := aLab(t, "-t", "mock", "--fault", "uo3=stuck1", "--name", "stuck")
	inLab(t, s, "stuck", lab.Free)
	if code, said := bench(t, "run", "--smoke", "-t", "lab:stuck", "--invite", invite); code != exitFail {
		t.Fatalf("exit code %d, and it says\n%s", code, said)
	}
	var report, bundle bytes.Buffer
	judge := native.Past{Version: version(), Lab: true}
	if err := judge.Report(t.Context(), &report, s.History(), 1); err != nil ||
		!strings.Contains(report.String(), "<title>FAIL: utf, lab:first/stuck, mock, ") {
		t.Errorf("%v, %.200s", err, &report)
	}
	if err := judge.Bundle(t.Context(), &bundle, s.History(), 1); err != nil {
		t.Error(err)
	}
	files, err := zip.NewReader(bytes.NewReader(bundle.Bytes()), int64(bundle.Len()))
	if err != nil || len(files.File) == 0 || files.File[0].Name != "run.rec" {
		t.Errorf("the bundle: %v", err)
	}
}
