package past

import (
	"fmt"
	"strings"
	"testing"

	"utfbench/runs/history"
)

// A measurement that was handed in is listed, and its document is what it was.
func TestMeasurement(t *testing.T) {
	p := begin(t)
	l := p.lab(t)
	const document = `{"schema":1,"bench":"v1","transport":"lab:pi/a","board":"b","revision":"r","vectors":4,` +
		`"count":%d,"whole":true,"x":{"knob":"pulse","values_ns":[10]},"cells":[null]}`
	for n := range 3 {
		text := fmt.Sprintf(document, n)
		for _, had := range []bool{false, true} {
			if number, was, err := l.HandInMeasurement([]byte(text)); number != n+1 || was != had || err != nil {
				t.Fatal(number, was, err)
			}
		}
		if got, err := l.Document(n + 1); string(got) != text || err != nil {
			t.Errorf("%s, %v", got, err)
		}
	}
	for want, f := range map[string]history.MeasurementFilter{"[3 2 1]": {}, "[3 2]": {Last: 2}, "[2 1]": {Before: 3},
		"[1]": {Number: 1}, "[]": {Words: "absent"}} {
		var numbers []int
		for m, err := range l.Measurements(f) {
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, m.Number)
		}
		if fmt.Sprint(numbers) != want {
			t.Errorf("%+v: %v; want %s", f, numbers, want)
		}
	}
	if _, err := l.Document(9); err == nil || !strings.Contains(err.Error(), "has no measurement 9: bench lab ") {
		t.Error(err)
	}
}
