package liberty

import (
	"os"
	"strings"
	"testing"
)

// wrap is a library of one cell.
func wrap(cell string) string { return "library (l) { cell (c) {\n" + cell + "\n} }" }

const inputs = `pin (A) { direction : input; } pin (B) { direction : "input"; } pin ("C") { direction : input ; }`

// A function has the values that the user guide's precedence gives it, for all levels of A, B and C.
func TestFunctions(t *testing.T) {
	for _, c := range [][2]string{ // bit i of the levels CBA = i, the highest first
		{"A", "10101010"},
		{"!A", "01010101"},
		{"A'", "01010101"},
		{"A & B", "10001000"},
		{"A * B", "10001000"},
		{"A B", "10001000"},
		{"A | B", "11101110"},
		{"A + B", "11101110"},
		{"A ^ B", "01100110"},
		{"A+B C", "11101010"},
		{"A^B&C", "01100000"},
		{"!(A & B)", "01110111"},
		{"(A B)'", "01110111"},
		{"A & !B | C", "11110010"},
		{"0", "00000000"},
		{"1", "11111111"},
		{"!!A", "10101010"},
		{"A'' ", "10101010"},
		{"(A ^ B) ^ C", "10010110"},
		{"A&1", "10101010"},
	} {
		text, want := c[0], c[1]
		cells, err := Read(wrap(inputs + `pin (Y) { direction : output; function : "` + text + `"; }`))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := ""
		for levels := range uint(8) {
			got = map[bool]string{true: "1", false: "0"}[cells["c"].Outputs[0].Function.Eval(levels, false)] + got
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// What keeps a cell from being simulated is said of it; the library is read nevertheless.
func TestOdd(t *testing.T) {
	for _, c := range [][2]string{
		{`latch (IQ, IQN) { enable : "G"; }`, "a latch"},
		{`statetable ("A B", "Q") { table : "H : - : H"; }`, "a statetable"},
		{`ff (IQ) { next_state : "A"; clocked_on : "B"; clear : "C"; preset : "!C"; }`, "both clear and preset"},
		{`ff (IQ) { next_state : "A"; }`, "without next_state or clocked_on"},
		{`pin (Z) { direction : output; function : "A"; three_state : "B"; }`, "the pin Z, which can be released"},
		{`pin (Z) { direction : inout; }`, `the pin Z of direction "inout"`},
		{`bus (D) { bus_type : b; }`, "a bus"},
		{`ff (I1) { next_state : "A"; clocked_on : "B"; } ff (I2) { next_state : "A"; clocked_on : "B"; }`,
			"two flip-flops"},
	} {
		cell, want := c[0], c[1]
		cells, err := Read(wrap(inputs + cell))
		if err != nil || !strings.Contains(cells["c"].Odd, want) {
			t.Errorf("%s: %+v, %v; want %q", cell, cells["c"], err, want)
		}
	}
}

// A mistake is one sentence with its line.
func TestMistakes(t *testing.T) {
	for _, c := range [][2]string{
		{"", "it has no cell"},
		{"library (l) {", "line 1: the file ends within a group: it is cut off"},
		{"library (l) { }\n}", "line 2: a } closes nothing"},
		{"library (l) { cell (c) { pin (A) { direction : input; } \n \"", "line 2: the file ends within a group"},
		{"library (l) { cell {", `line 1: after "cell" there has to be a : or a (`},
		{wrap(inputs + `pin (Y) { direction : output; function : "A &"; }`),
			`line 1: cell c: function "A &": a pin's name is missing`},
		{wrap(`pin (Y) { direction : output; function : "(A"; }`), `function "(A": "A" is no input of the cell`},
		{wrap(inputs + `pin (Y) { direction : output; function : "(A"; }`), "a bracket is not closed"},
		{wrap(inputs + `pin (Y) { direction : output; function : "A)"; }`), `")" is too much`},
		{"library (l) {" + strings.Repeat("cell(a){}", 1<<18), "more than 262144 cells and pins"},
		{strings.Repeat("a () {", 100), "groups stand in groups more than 64 deep"},
		{wrap(inputs + `ff (I) { next_state : "` + strings.Repeat("!", 200) + `A"; }`), "more than 100 deep"},
	} {
		text, want := c[0], c[1]
		if _, err := Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// Attributes without a semicolon, comments, joined lines and groups of no use are passed over.
func TestWriting(t *testing.T) {
	cells, err := Read(`library ("l") { /* { */ // {
  define (x, y, z) ;
  lu_table_template ("t") { index_1 ("1, 2, \
    3"); }
  cell ("c") {
    area : 1.5
    pin ("A") { direction : "input"
      timing () { values ("0.1", "{"); } }
    pin ("Y") { direction : "output" ; function : "!A" }
  }
}`)
	if err != nil || len(cells["c"].Pins) != 1 || len(cells["c"].Outputs) != 1 ||
		!cells["c"].Outputs[0].Function.Eval(0, false) {
		t.Errorf("%+v, %v", cells["c"], err)
	}
}

// A flip-flop's output may be the opposite of what it holds.
func TestFlop(t *testing.T) {
	cells, err := Read(wrap(inputs + `ff (IQ, IQN) { clocked_on : "B"; next_state : "A & IQ"; clear : "!C"; }
		pin (Q) { direction : output; function : "IQ"; } pin (N) { direction : output; function : "IQN"; }`))
	if err != nil {
		t.Fatal(err)
	}
	c := cells["c"]
	if c.Odd != "" || c.Flop.Clock.Pins() != 2 || c.Flop.Next.Pins() != 1 || c.Flop.Clear.Pins() != 4 ||
		c.Outputs[0].Function.Eval(0, true) == c.Outputs[1].Function.Eval(0, true) {
		t.Errorf("%+v", c)
	}
}

// FuzzRead has whole libraries: one sentence, or cells whose functions have values.
func FuzzRead(f *testing.F) {
	own, err := os.ReadFile("../testdata/cells.lib")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(own))
	f.Add(wrap(inputs + `pin (Y) { direction : output; function : "(A B)' ^ C"; }`))
	f.Add("library (l) { cell (c) { ff (I,J) { next_state : \"J\"; clocked_on : \"I\" } } }")
	f.Fuzz(func(t *testing.T, text string) {
		cells, err := Read(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") && !strings.Contains(text, "\n") {
				t.Errorf("no sentence: %q", err)
			}
			return
		}
		for _, c := range cells {
			for _, o := range c.Outputs {
				if o.Function != nil {
					o.Function.Eval(0, true)
					o.Function.Pins()
				}
			}
		}
	})
}
