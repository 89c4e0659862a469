//go:build unix

package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/lab/command"
	"utfbench/lab/server"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// A smoke run that somebody began from the page takes the board as any user does. Its begin, its
// verdict and its first failure are told, and the lab keeps the run, whose report and bundle are there for a browser.
func TestSmokeFromPage(t *testing.T) {
	t.Parallel()
	s, invite := aLab(t, "-t", "mock", "--fault", "uo3=stuck1", "--name", "stuck")
	inLab(t, s, "stuck", lab.Free)
	smoke, err := command.NewSmoker(t.Context(), s, filepath.Dir(invite), version())
	if err != nil {
		t.Fatal(err)
	}
	defer smoke.Close()
	board := &lab.Board{Host: "first", Name: "stuck"}
	if err := smoke.Begin(board, "eve"); err != nil {
		t.Fatal(err)
	}
	if err := smoke.Begin(board, "eve"); err == nil || !strings.Contains(err.Error(), "is in progress there") {
		t.Error(err)
	}
	toldSoon(t, s, "the smoke run started by eve: ")
	said := toldOf(s)
	for _, want := range []string{"first/stuck  a smoke run was started by eve from the page",
		"first/stuck  the smoke run started by eve: FAIL; first failure: chip/"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
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
	if err := os.Remove(invite); err != nil {
		t.Fatal(err)
	}
	if err := smoke.Begin(board, "eve"); err == nil || !strings.Contains(err.Error(), "was removed") {
		t.Error(err)
	}
}

// A smoke run ends with the lab that it was begun from, without a verdict.
func TestSmokeEndsWithLab(t *testing.T) {
	t.Parallel()
	s, invite := aLab(t, "-t", "mock", "--name", "good")
	inLab(t, s, "good", lab.Free)
	smoke, err := command.NewSmoker(t.Context(), s, filepath.Dir(invite), version())
	if err != nil {
		t.Fatal(err)
	}
	if err := smoke.Begin(&lab.Board{Host: "first", Name: "good"}, "eve"); err != nil {
		t.Fatal(err)
	}
	smoke.Close()
	if said := toldOf(s); !strings.Contains(said, "the smoke run started by eve: ") {
		t.Error(said)
	}
	if err := smoke.Begin(&lab.Board{Host: "first", Name: "good"}, "eve"); err == nil {
		t.Error("another begins when the lab has ended")
	}
}

// toldSoon waits until a lab has told of something.
func toldSoon(t *testing.T, s *server.Server, words string) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		changed := s.Changed()
		if strings.Contains(toldOf(s), words) {
			return
		}
		select {
		case <-changed:
		case <-time.After(time.Second):
		}
	}
	t.Fatalf("no %q in\n%s", words, toldOf(s))
}

// toldOf is what a lab has told of, the newest first.
func toldOf(s *server.Server) string {
	var all strings.Builder
	for _, e := range s.Events() {
		all.WriteString(e.String() + "\n")
	}
	return all.String()
}
