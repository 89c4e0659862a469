package gates

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLiberty compares each cell of the table with the kit's Liberty files, for all levels of pins and held bit. It
// uses the folders of TestKits; IHP's Liberty files are in a sibling folder.
func TestLiberty(t *testing.T) {
	for _, k := range kits {
		t.Run(k.prefix, func(t *testing.T) {
			dir := os.Getenv(k.variable)
			if dir == "" {
				t.Skipf("needs the kit's Liberty files: set %s", k.variable)
			}
			k.checkLiberty(t, glob(dir, "cells/*/*__tt_025C_1v80.lib", "cells/*/*__tt_025C_1v80.lib.json",
				"../lib/*typ_1p20V_25C.lib"))
		})
	}
}

func (k *kit) checkLiberty(t *testing.T, files []string) {
	all := map[string]liberty{}
	for _, file := range files {
		readLiberty(t, file, all)
	}
	delete(all, "in a test")
	cells, functions := 0, 0
	var without []string
	for name, said := range all {
		c, known := FindCell(name)
		switch {
		case !known:
			t.Errorf("the table has no %s", name)
		case slices.Contains(k.skipped, withoutStrength(strings.TrimPrefix(name, k.prefix))):
		case len(said) > 0:
			cells++
			functions += said.compare(t, name, c)
		case !c.IsFiller():
			without = append(without, withoutStrength(strings.TrimPrefix(name, k.prefix)))
		}
	}
	if cells < 40 {
		t.Errorf("only %d cells have functions", cells)
	}
	slices.Sort(without)
	t.Logf("%d functions of %d cells agree; no function in the files: %v", functions, cells, slices.Compact(without))
}

// A liberty maps the outputs and roles of a cell to their functions.
type liberty map[string]string

// Patterns for the head of a group and for an attribute that is a function, also in the JSON form of SkyWater's kit.
var (
	libertyGroup = regexp.MustCompile(`^\s*"?(cell|pin|test_cell)\b(?:\s*\(\s*"?|,)?(\w*)`)
	attribute    = regexp.MustCompile(
		`^\s*"?(function|three_state|clear|preset|clocked_on|next_state|data_in|enable)"?\s*:\s*"([^"]*)"`)
	operands = regexp.MustCompile(`(\w) +([\w!(])`) // a space between operands means AND
	inverted = regexp.MustCompile(`(\w+)'`)
)

var roleOf = map[string]string{"three_state": roleDrive, "clear": roleReset, "preset": roleSet, "clocked_on": roleClock,
	"next_state": roleData, "data_in": roleData, "enable": roleEnable}

func readLiberty(t *testing.T, file string, all map[string]liberty) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cell, pin := "", ""
	begin := func(name string) { cell, all[name] = name, liberty{} }
	if name, _, is := strings.Cut(filepath.Base(file), "__tt_"); is {
		begin(name)
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if m := libertyGroup.FindStringSubmatch(lines.Text()); m != nil {
			switch m[1] {
			case "cell":
				begin(m[2])
			case "pin":
				pin = m[2]
			case "test_cell": // describes the cell without its scan chain
				all["in a test"] = liberty{}
				cell = "in a test"
			}
		} else if m := attribute.FindStringSubmatch(lines.Text()); m != nil {
			of, x := roleOf[m[1]], translate(m[2])
			switch of {
			case "":
				of = pin
			case roleDrive:
				x = "!(" + x + ")"
			}
			all[cell][of] = x
		}
	}
}

// translate converts a Liberty expression to the table's notation. IQ is the held bit, and IQN or IQ_N is its inverse.
func translate(x string) string {
	x = inverted.ReplaceAllString(operands.ReplaceAllString(strings.TrimSpace(x), "$1&$2"), "!$1")
	x = strings.NewReplacer(" ", "", "*", "&", "+", "|").Replace(x)
	return regexp.MustCompile(`\w+`).ReplaceAllStringFunc(x, func(name string) string {
		switch {
		case !strings.HasPrefix(name, "IQ"):
			return name
		case strings.Contains(name, "N"):
			return "!q"
		}
		return "q"
	})
}

func (l liberty) compare(t *testing.T, name string, c *Cell) int {
	roles := []string{roleClock, roleEnable, roleData, roleSet, roleReset, roleDrive}
	for _, of := range slices.Concat(c.Outputs(), roles) {
		if l[of] == "" && c.Function(of) != nil {
			t.Errorf("%s: the table has a function of %s, Liberty has none", name, of)
		}
	}
	flipped := l["Q"] == "!q" && c.Function("Q").Op == 'q' // the Liberty cell holds the inverse bit
	for of, text := range l {
		want, err := parseExpr(text)
		mine := c.Function(of)
		if err != nil || mine == nil {
			t.Errorf("%s: %s=%s in Liberty: %v; the table has %v", name, of, text, err, mine)
			continue
		}
		for v := range 2 << len(c.Inputs) {
			level := func(pin string) bool { return v>>(1+slices.Index(c.Inputs, pin))&1 != 0 }
			held := v&1 != 0
			if l.both(level) { // set and reset are both active: only the kit's Verilog says which one wins
				continue
			}
			if mine.Eval(level, held) != (want.Eval(level, held != flipped) != (flipped && of == roleData)) {
				t.Errorf("%s: %s differs from %s in Liberty", name, of, text)
				break
			}
		}
	}
	return len(l)
}

func (l liberty) both(level func(string) bool) bool {
	for _, role := range []string{roleSet, roleReset} {
		x, err := parseExpr(l[role])
		if l[role] == "" || err != nil || !x.Eval(level, false) {
			return false
		}
	}
	return true
}

// Function returns the function of an output or a role, or nil if the cell lacks it.
func (c *Cell) Function(of string) *expr {
	for _, o := range c.outputs {
		if o.pin == of {
			return o.is
		}
	}
	return c.roles[of]
}

// Eval returns the value of the expression for given levels of the pins and the held bit.
func (x *expr) Eval(level func(pin string) bool, held bool) bool {
	arg := func(i int) bool { return x.Args[i].Eval(level, held) }
	switch x.Op {
	case 'p':
		return level(x.Pin)
	case 'q':
		return held
	case '!':
		return !arg(0)
	case '&':
		return arg(0) && arg(1)
	case '|':
		return arg(0) || arg(1)
	case '^':
		return arg(0) != arg(1)
	case '?':
		return arg(0) && arg(1) || !arg(0) && arg(2)
	}
	return x.Op == '1'
}
