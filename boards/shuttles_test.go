package boards

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestIndexIsWhole(t *testing.T) {
	x := Shuttles()
	if len(x.Shuttles()) != 24 || len(x.Designs()) != 4357 {
		t.Errorf("%d shuttles with %d designs; README.md says 24 with 4,357", len(x.Shuttles()), len(x.Designs()))
	}
	sum := 0
	for i := range x.Shuttles() {
		s := &x.Shuttles()[i]
		sum += len(s.Designs())
		if d := s.Designs()[0]; d.Shuttle != s.Name {
			t.Errorf("%s begins with %+v", s.Name, d)
		}
	}
	if sum != len(x.Designs()) {
		t.Errorf("the shuttles have %d designs, the index %d", sum, len(x.Designs()))
	}
	want := Design{"ttihp26a", 39, "tt_um_fpga_can_lehmann", 25000000, "medium", "can-lehmann/tt-fpga", "836fcfbe31"}
	if got := x.Shuttle("ttihp26a").DesignsAt(39); !slices.Equal(got, []Design{want}) {
		t.Errorf("ttihp26a at 39: %+v; want %+v", got, want)
	}
}

// The numbers of the UTF chip match a table made by hand.
func TestHardwareUTF8(t *testing.T) {
	want := []string{"tt08 901 18d5793b", "ttihp0p2 519 50ac867c", "tt09 897 ac16d629", "ttihp25a 367 ac16d629",
		"ttcad25a 903 18d5793b",
		"ttsky25a 903 0a7e4165", "ttsky25b 207 0a7e4165", "ttihp26a 785 f411cba4", "ttsky26a 905 0a7e4165",
		"ttsky26b 704 b0440db8"}
	x := Shuttles()
	var got []string
	for _, d := range match(x.Designs(), "tt_um_rebeccargb_hardware_utf8") {
		got = append(got, fmt.Sprintf("%s %d %.8s", d.Shuttle, d.Number, d.Commit))
		if d.Clock != 0 || d.Danger != "" {
			t.Errorf("%+v; want neither clock nor danger", d)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if other := x.Shuttle("ttsky25b").DesignsAt(140); len(other) != 1 || !strings.Contains(other[0].Name, "wokwi") {
		t.Errorf("ttsky25b at 140: %+v; want a Wokwi design", other)
	}
}

func TestAt(t *testing.T) {
	x := Shuttles()
	for _, c := range []struct {
		shuttle string
		number  int
		want    int
	}{
		{"tt09", 0, 1}, {"tt09", 897, 1}, {"tt09", 1023, 0}, {"tt09", -1, 0}, {"ttihp25a", 544, 16}, {"ttihp25a", 626,
			9}, {"ttihp25a", 627, 0}, {"tt02", 0, 1},
	} {
		got := x.Shuttle(c.shuttle).DesignsAt(c.number)
		if len(got) != c.want || slices.ContainsFunc(got, func(d Design) bool {
			return d.Number != c.number || d.Shuttle != c.shuttle
		}) {
			t.Errorf("%s at %d: %+v; want %d designs", c.shuttle, c.number, got, c.want)
		}
	}
}

// A name may have two numbers on one shuttle.
func TestNamed(t *testing.T) {
	var numbers []int
	s := Shuttles().Shuttle("ttihp25a")
	for _, d := range s.DesignsNamed("tt_um_wokwi_422960078645704705") {
		numbers = append(numbers, d.Number)
	}
	if !slices.Equal(numbers, []int{499, 614}) {
		t.Errorf("at %v; want 499 and 614", numbers)
	}
	if got := s.DesignsNamed("tt_um_rebeccargb_hardware_UTF8"); got != nil {
		t.Errorf("a name in other letters finds %+v", got)
	}
}

func TestROM(t *testing.T) {
	x := Shuttles()
	for said, want := range map[string]string{"tt09": "tt09", "ttihp0p1": "ttihp0p1 ttgf0p1", "ttgf0p1": "", "tt02": "",
		"unknown": "", "": "", "TT09": ""} {
		var names []string
		for _, s := range x.ShuttlesByROM(said) {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("a ROM that says %q is of %q; want %q", said, got, want)
		}
	}
	for i := range x.Shuttles() {
		s := &x.Shuttles()[i]
		if s.Name != "ttgf0p1" && s.Selectable() != (s.ROMName() == s.Name) {
			t.Errorf("%s: selectable %v, and its ROM says %q", s.Name, s.Selectable(), s.ROMName())
		}
	}
	if x.Shuttle("nosuch") != nil {
		t.Error("there is a shuttle nosuch")
	}
}

// The tables are well-formed: rows have all fields, in allowed characters, and are sorted.
func TestTables(t *testing.T) {
	for table, head := range map[string]string{shuttlesText: shuttleFields, designsText: designFields} {
		lines := strings.Split(table, "\n")
		if lines[0] != head || lines[len(lines)-1] != "" {
			t.Fatalf("a table begins with %q and ends with %q", lines[0], lines[len(lines)-1])
		}
		for i, line := range lines[:len(lines)-1] {
			if strings.Count(line, "\t") != strings.Count(head, "\t") || strings.ContainsFunc(line, func(r rune) bool {
				return r != '\t' && (r < ' ' || r > '~')
			}) {
				t.Errorf("line %d is %q", i+1, line)
			}
		}
	}
	x := Shuttles()
	for i := range x.shuttles {
		if s := &x.shuttles[i]; s.Title == "" || s.PDK == "" || s.designs == nil || x.Shuttle(s.Name) != s ||
			s.Selectable() != (s.ROM != "") || s.ROM != "" && s.ROMName() == "" {
			t.Errorf("%+v", s)
		}
	}
	row := regexp.MustCompile(`^\w+\t\d{1,4}\t\w+\t\d+\t(?:medium|high)?\t[^\t]*\t(?:[0-9a-f]{10})?$`)
	for i, line := range strings.Split(strings.TrimSpace(designsText), "\n")[1:] {
		d := x.designs[i]
		if !row.MatchString(line) || d.Number > MaxNumber || i > 0 && x.designs[i-1].Shuttle == d.Shuttle &&
			cmp.Or(cmp.Compare(x.designs[i-1].Number, d.Number), cmp.Compare(x.designs[i-1].Name, d.Name)) >= 0 {
			t.Errorf("%q after %+v", line, x.designs[max(0, i-1)])
		}
	}
}
