package shmoo

import (
	"strings"
	"testing"
	"time"

	"utfbench/driver"
)

// drawn returns a grid of one row with these marks.
func drawn(t *testing.T, marks string) *Grid {
	t.Helper()
	x := Axis{Knob: "pulse"}
	for i := range marks {
		x.Values = append(x.Values, time.Duration(10*(i+1)))
	}
	g := New(x, Axis{})
	for i, m := range strings.Split(marks, "") {
		verdict, known := map[string]driver.Verdict{".": driver.Pass, "#": driver.Fail, "~": driver.Flaky,
			"E": driver.Error}[m]
		// the actual time differs from the requested one
		g.Cells[i] = Cell{Verdict: verdict, Done: known, X: x.Values[i] + 3}
	}
	return g
}

func TestCompare(t *testing.T) {
	for _, c := range []struct{ a, b, marks, limits string }{
		{"##..", "##..", "##..", "30ns 30ns 0s"},
		{"##..", "#...", "#>..", "30ns 20ns -10ns"},
		{"#...", "###.", "#<<.", "20ns 40ns 20ns"},
		{"#~..", "#E..", "#?..", "30ns 30ns 0s"},
		{"# ..", "#...", "#?..", "30ns 20ns -10ns"},
		{"#...", "#..#", "#..<", "20ns - -"}, // the last cell must pass for a limit
		{"....", "####", "<<<<", "10ns - -"},
	} {
		both, err := Compare(drawn(t, c.a), drawn(t, c.b))
		if err != nil {
			t.Fatal(err)
		}
		var text, json strings.Builder
		if both.Text(&text) != nil || both.JSON(&json, "v1") != nil {
			t.Fatal("it cannot be written")
		}
		row := strings.Join(strings.Fields(strings.Split(text.String(), "\n")[1]), " ")
		want := "| " + strings.Join(strings.Split(c.marks, ""), " ") + " " + c.limits
		if row != want || !strings.Contains(json.String(), `"marks": "`+c.marks+`"`) {
			t.Errorf("%s and %s: %q, not %q; %s", c.a, c.b, row, want, json.String())
		}
		if same := !strings.ContainsAny(c.marks, "<>"); both.Same() != same {
			t.Errorf("%s and %s are the same: %v", c.a, c.b, !same)
		}
	}
}

func TestCompareOtherAxes(t *testing.T) {
	longer := New(Axis{"pulse", []time.Duration{10, 20}}, Axis{"settle", []time.Duration{1, 2}})
	for _, c := range []struct {
		x, y Axis
		want string
	}{
		{Axis{"settle", longer.X.Values}, longer.Y, "the axes pulse=10ns..20ns/2 and settle=10ns..20ns/2 differ"},
		{Axis{"pulse", []time.Duration{10, 30}}, longer.Y, "and pulse=10ns..30ns/2 differ"},
		{longer.X, Axis{}, "the axes settle=1ns..2ns/2 and (none) differ"},
	} {
		if _, err := Compare(longer, New(c.x, c.y)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
}
