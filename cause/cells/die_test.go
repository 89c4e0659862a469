package cells

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"utfbench/netlist"
	"utfbench/netlist/layout"
	"utfbench/netlist/layout/layouttest"
	"utfbench/netlist/stuckat"
	"utfbench/tile/utf"
)

// A die has each cell with logic where the layout has it, and counts its faults; all of them are those of the report.
func TestDie(t *testing.T) {
	n := own(t, "chip.v")
	gds, lef := layouttest.Draw(n)
	l, err := layout.Read(layout.Drawing{Data: []byte(gds)}, []netlist.File{{Text: lef}}, n)
	if err != nil {
		t.Fatal(err)
	}
	classes := stuckat.Classes(n)
	findings, never := make([]stuckat.Finding, len(classes)), make([]bool, len(classes))
	for i := range findings { // a third each is found, is proved untestable, and is open
		places := [2]stuckat.Place{stuckat.Nowhere, stuckat.Nowhere}
		if i%3 == 0 {
			places = [2]stuckat.Place{}
		}
		findings[i].Found, never[i] = append(findings[i].Found, places), i%3 == 1
	}
	r := newReport(utf.TT09, n, []stuckat.Vector{{Suite: "s"}}, classes, findings, never)
	r.Place(n, l)
	var all DieCell
	for _, c := range r.Die.Cells {
		all.Faults, all.Found, all.Untestable = all.Faults+c.Faults, all.Found+c.Found, all.Untestable+c.Untestable
	}
	if all.Faults != r.All.Faults || all.Found != r.Total.Found.Faults || all.Untestable != r.Untest.Faults {
		t.Errorf("%+v of %+v", all, r)
	}
	var text strings.Builder
	if err := r.JSON(&text); err != nil {
		t.Fatal(err)
	}
	again, err := ReadJSON(strings.NewReader(text.String()))
	if err != nil || again.Die.picture() != r.Die.picture() {
		t.Errorf("what was read has another picture: %v", err)
	}
	r.Die.Cells[3].Found = -1
	text.Reset()
	if err := r.JSON(&text); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadJSON(strings.NewReader(text.String())); err == nil {
		t.Error("a cell of which less than nothing is found is read")
	}
}

// The picture is well-formed XML whatever cells are called, shows each cell by how much of it is reached, and marks
// what is suspected in words as well.
func TestPicture(t *testing.T) {
	box := func(k float64) layout.Box { return layout.Box{X0: k, Y0: 1, X1: k + 1, Y1: 3} }
	d := &Die{Box: layout.Box{X1: 20, Y1: 10}, Cells: []DieCell{
		{Cell: `a<b>&"`, Type: "inv", Box: box(1), Faults: 4, Found: 4},
		{Cell: "c", Box: box(2), Faults: 4, Found: 3, Untestable: 1}, {Cell: "d", Box: box(3), Faults: 4, Found: 2},
		{Cell: "e", Box: box(4), Faults: 4, Found: 1}, {Cell: "f", Box: box(5), Faults: 4},
		{Cell: "g", Box: box(6), Faults: 4, Untestable: 4}, {Cell: "h", Box: box(7)}}}
	at := &Point{2.5, 2}
	d.Mark(&Located{Best: []Place{{Cell: "c", Pin: "A<", What: "stuck at 1", At: at}},
		Less: []Place{{Cell: "c", Pin: "B", What: "stuck at 0", At: at}, {Cell: "x"}}})
	text := d.picture()
	for dec := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for class, want := range map[string]int{"all": 2, "most": 1, "some": 1, "none": 1, "never": 1, "plain": 2} {
		drawn := want
		if class != "plain" {
			drawn++ // in the legend
		}
		if n := strings.Count(text, `<rect class="`+class+`"`); n != drawn {
			t.Errorf("%d of %s, and not %d", n, class, drawn)
		}
	}
	for _, want := range []string{"a&lt;b&gt;&amp;", "c (): 3 of 4 faults found, 1 cannot be",
		"1  c/A&lt; stuck at 1, x 2.50 um, y 2.00 um", "2  c/B stuck at 0", ">2 cells: all testable faults"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "3  x") {
		t.Error("what has no place is marked")
	}
}
