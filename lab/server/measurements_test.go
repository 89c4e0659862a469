package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"utfbench/internal/files"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// shmooOf is a shmoo as bench shmoo --json writes it, another for each seed.
func shmooOf(seed int) []byte {
	return fmt.Appendf(nil, `{"schema":1,"bench":"v1","transport":"lab:pi1/a","board":"rpi","revision":"tt09",`+
		`"vectors":4,"count":%d,"whole":true,"x":{"knob":"pulse","values_ns":[10,20]},`+
		`"cells":[{"x_ns":10,"verdict":"FAIL","vectors":4,"failed":4},null]}`+"\n", seed)
}

// measured offers a measurement.
func measured(text []byte) lab.Offer {
	o := offer(text)
	o.Measured = true
	return o
}

func measure(t *testing.T, c *lab.Conn, seed int) (number int, had bool) {
	t.Helper()
	text := shmooOf(seed)
	number, had, err := c.HandIn(t.Context(), measured(text), bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return number, had
}

// A measurement that is handed in is in the history with its document, by whom, once; and is no run.
func TestMeasured(t *testing.T) {
	var o told
	cfg := config(t)
	cfg.Tell = o.tell
	s := start(t, cfg)
	_, conn := invite(t, s, "pi1")
	for _, had := range []bool{false, true} {
		if number, was := measure(t, conn, 1); number != 1 || was != had {
			t.Error(number, was)
		}
	}
	o.has(t, "pi1/a  measurement 1: shmoo, by pi1")
	m, err := s.History().Measurement(1)
	if err != nil || m.By != "pi1" || m.Kind != "shmoo" || m.Words != "2 cells over pulse; 1 FAIL; 1 not measured" {
		t.Errorf("%+v, %v", m, err)
	}
	var doc bytes.Buffer
	if err := conn.ReadDocument(t.Context(), 1, m.Bytes, &doc); err != nil || !bytes.Equal(doc.Bytes(), shmooOf(1)) {
		t.Errorf("%s, %v", doc.Bytes(), err)
	}
	if number, had := measure(t, conn, 2); number != 2 || had {
		t.Error(number, had)
	}
	for want, q := range map[string]lab.MeasurementQuery{"[2 1]": {}, "[2]": {Last: 1}, "[1]": {Before: 2},
		"[]": {Kind: "timing"}} {
		list, err := conn.Measurements(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		numbers := []int{}
		for _, text := range list.Measurements {
			var m history.Measurement
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, m.Number)
		}
		if fmt.Sprint(numbers) != want || list.More != (q.Last == 1) {
			t.Errorf("%+v: %v, %t; want %s", q, numbers, list.More, want)
		}
	}
	kept(t, s, 0)
}

// What is no measurement of a bench is refused for good, in one sentence, and leaves nothing.
func TestUnfitMeasurement(t *testing.T) {
	s := start(t, config(t))
	_, conn := invite(t, s, "pi1")
	whole := string(shmooOf(1))
	long := strings.Repeat(" ", int(files.Measurement.Limit)+1)
	for words, text := range map[string]string{
		"the upload is no measurement: it is neither": string(recorded(t, 1, 10)),
		"1 cells do not fill a grid":                  strings.Replace(whole, ",null", "", 1),
		"not printable":                               strings.Replace(whole, "lab:", `\u001b[2J`, 1),
		"measurement has 4.2 MB: 4.2 MB is the most":  long,
	} {
		_, _, err := conn.HandIn(t.Context(), measured([]byte(text)), strings.NewReader(text))
		refused(t, err, words)
		if !errors.As(err, new(*lab.UnfitError)) {
			t.Errorf("%q", err)
		}
	}
	if _, _, err := conn.HandIn(t.Context(), offer([]byte(whole)), strings.NewReader(whole)); err == nil {
		t.Error("a measurement is a run")
	}
	for verb, words := range map[string]string{"run.document.1.0": "of measurement 1 there is nothing",
		"run.document.x.0": "cannot be read", "run.document.1.-1": "cannot be read", "run.document.1": "does not know",
		"run.measurements": "cannot be read", "run.measured": "cannot be read"} {
		_, err := ask(t, conn, verb, "")
		refused(t, err, words)
	}
	soon(t, "nothing in the spool", func() bool {
		files, _ := os.ReadDir(spoolFolder(s.cfg.Data))
		return len(files) == 0
	})
	if n, err := s.History().Measured(offer([]byte(whole)).SHA256); n != 0 || err != nil {
		t.Error(n, err)
	}
}
