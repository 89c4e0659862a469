package boards

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func load(t testing.TB) *Index {
	t.Helper()
	x, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestIndexIsWhole(t *testing.T) {
	x := load(t)
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

// The numbers of this project's chip match a table made by hand.
func TestHardwareUTF8(t *testing.T) {
	want := []string{"tt08 901 18d5793b", "ttihp0p2 519 50ac867c", "tt09 897 ac16d629", "ttihp25a 367 ac16d629",
		"ttcad25a 903 18d5793b",
		"ttsky25a 903 0a7e4165", "ttsky25b 207 0a7e4165", "ttihp26a 785 f411cba4", "ttsky26a 905 0a7e4165",
		"ttsky26b 704 b0440db8"}
	x := load(t)
	var got []string
	all, err := match(x.Designs(), "tt_um_rebeccargb_hardware_utf8")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
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
	x := load(t)
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
	s := load(t).Shuttle("ttihp25a")
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
	x := load(t)
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

const (
	shuttlesHead = "shuttle\tname\tpdk\trom\n"
	oneShuttle   = shuttlesHead + "tt09\tTiny Tapeout 9\tsky130A\tshuttle=tt09 repo=a/b\n"
	designsHead  = "shuttle\tnumber\tdesign\tclock_hz\tdanger\trepo\tcommit\n"
	oneDesign    = designsHead + "tt09\t7\ttt_um_a\t0\t\ta/b\t0123456789\n"
)

func TestParseRefuses(t *testing.T) {
	if _, err := parse(oneShuttle, oneDesign); err != nil {
		t.Fatalf("what every row starts from: %v", err)
	}
	for _, c := range []struct{ shuttles, designs, want string }{
		{"shuttle\tname\n", oneDesign, `shuttles.tsv:1: the head is not`},
		{"", oneDesign, `shuttles.tsv:1: the head is not`},
		{shuttlesHead + "\t\t\t\n", oneDesign, "shuttles.tsv:2: a shuttle has a name"},
		{shuttlesHead + "tt09\tx\ty\trepo=a/b\n", oneDesign, "shuttles.tsv:2: the ROM"},
		{shuttlesHead + "tt09\tx\ty\t\n", oneDesign, "shuttles.tsv:2: tt09 has a mux, and no ROM"},
		{oneShuttle + "tt09\tx\ty\tshuttle=tt09\n", oneDesign, "shuttles.tsv:3: the shuttle tt09 comes twice"},
		{oneShuttle + "tt02\tx\ty\t\n", oneDesign, "designs.tsv: the shuttle tt02 has no design"},
		{oneShuttle, "", "designs.tsv:1: the head is not"},
		{oneShuttle, designsHead, "designs.tsv: the shuttle tt09 has no design"},
		{oneShuttle, oneDesign[:len(oneDesign)-1], "designs.tsv:2: the last line has no end"},
		{oneShuttle, oneDesign + "\n", "designs.tsv:3: a row has 7 fields"},
		{oneShuttle, oneDesign + "tt09\t8\ttt_um_b\t0\t\ta/b\t\t\n", "designs.tsv:3: a row has 7 fields"},
		{oneShuttle, oneDesign + "tt09\t8\ttt_um_b\t0\t\ta/b\n", "designs.tsv:3: a row has 7 fields"},
		{oneShuttle, oneDesign + "tt09\t8\ttt_um_b\t0\t\ta/\x1b[b\t\n", `"a/\x1b[b": only printable ASCII`},
		{oneShuttle, oneDesign + "tt09\t8\ttt_um_b\t0\t\ta/b\t\r\n", `"\r": only printable ASCII`},
		{oneShuttle, oneDesign + "tt08\t8\ttt_um_b\t0\t\ta/b\t\n", `designs.tsv:3: the shuttle "tt08" ` +
			`does not come next`},
		{oneShuttle, designsHead + "\t8\ttt_um_b\t0\t\ta/b\t\n", `designs.tsv:2: the shuttle "" does not come next`},
		{oneShuttle, oneDesign + "tt09\t6\ttt_um_b\t0\t\ta/b\t\n", "designs.tsv:3: 6 tt_um_b does not come here"},
		{oneShuttle, oneDesign + "tt09\t7\ttt_um_a\t0\t\ta/b\t\n", "designs.tsv:3: 7 tt_um_a does not come here"},
		{oneShuttle, oneDesign + "tt09\t1024\ttt_um_b\t0\t\ta/b\t\n", `"1024" is no number from 0 to 1023`},
		{oneShuttle, oneDesign + "tt09\t-1\ttt_um_b\t0\t\ta/b\t\n", `"-1" is no number`},
		{oneShuttle, oneDesign + "tt09\t\ttt_um_b\t0\t\ta/b\t\n", `"" is no number`},
		{oneShuttle, oneDesign + "tt09\t8\t\t0\t\ta/b\t\n", `"" is no name`},
		{oneShuttle, oneDesign + "tt09\t8\ttt um\t0\t\ta/b\t\n", `"tt um" is no name`},
		{oneShuttle, oneDesign + "tt09\t8\ttt_um_b\t-5\t\ta/b\t\n", `"-5" is no frequency`},
		{oneShuttle, oneDesign + "tt09\t8\ttt_um_b\t1e6\t\ta/b\t\n", `"1e6" is no frequency`},
		{oneShuttle, oneDesign + "tt09\t8\ttt_um_b\t0\tlow\ta/b\t\n", `"low" is no danger level`},
		{oneShuttle, oneDesign + "tt09\t8\ttt_um_b\t0\t\ta/b\t0123\n", `"0123" is not the first ten digits`},
		{oneShuttle, oneDesign + "tt09\t8\ttt_um_b\t0\t\ta/b\t012345678G\n",
			`"012345678G" is not the first ten digits`},
	} {
		if _, err := parse(c.shuttles, c.designs); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("parse(%q, %q): %v; want %q", c.shuttles, c.designs, err, c.want)
		}
	}
}

// Accepted input can be looked up, and nothing panics.
func FuzzTables(f *testing.F) {
	f.Add(oneShuttle, oneDesign)
	f.Add(oneShuttle+"tt02\tx\ty\t\n", oneDesign+"tt09\t7\ttt_um_b\t0\thigh\ta/b\t\ntt02\t0\ta\t1\t\tx\t\n")
	f.Add("", "\t\n")
	f.Fuzz(func(t *testing.T, shuttles, designs string) {
		x, err := parse(shuttles, designs)
		if err != nil {
			return
		}
		var all []Design
		for _, s := range x.Shuttles() {
			all = append(all, s.Designs()...)
		}
		if !slices.Equal(all, x.Designs()) {
			t.Errorf("the shuttles have %+v, the index %+v", all, x.Designs())
		}
		for _, d := range all {
			s := x.Shuttle(d.Shuttle)
			if !slices.Contains(s.DesignsAt(d.Number), d) || !slices.Contains(s.DesignsNamed(d.Name), d) {
				t.Errorf("%+v is not found", d)
			}
		}
	})
}

// Parsing takes a few allocations in total, not per design.
func TestParseAllocatesLittle(t *testing.T) {
	n := testing.AllocsPerRun(3, func() {
		if _, err := parse(shuttlesText, designsText); err != nil {
			t.Fatal(err)
		}
	})
	if n > 100 {
		t.Errorf("%v allocations for %d designs", n, strings.Count(designsText, "\n"))
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(shuttlesText, designsText); err != nil {
			b.Fatal(err)
		}
	}
}
