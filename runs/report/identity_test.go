package report

import (
	"reflect"
	"strings"
	"testing"
)

var one = Identity{Chip{"verilog", "b", "d", "r", "t", "s", "f"}, "utf", "tt09", "a", "v"}

// Every field is compared, and each difference names both values.
func TestEveryFieldCounts(t *testing.T) {
	if differ := one.Differences(&one); len(differ) > 0 {
		t.Errorf("the same is different: %v", differ[0])
	}
	change := func(field reflect.Value, other *Identity) {
		field.SetString("changed")
		differ := one.Differences(other)
		if len(differ) != 1 || !strings.Contains(differ[0].Error(), `"changed" there and is "`) {
			t.Errorf("%+v: %v", other, differ)
		}
	}
	for i := range reflect.TypeFor[Chip]().NumField() {
		other := one
		change(reflect.ValueOf(&other.Chip).Elem().Field(i), &other)
	}
	for _, name := range []string{"Tile", "Revision", "Digest"} {
		other := one
		change(reflect.ValueOf(&other).Elem().FieldByName(name), &other)
	}
}

// A chip is that of a run if all identifying fields are equal; the vectors do not matter, nor does the revision if the
// run was compared with none.
func TestStill(t *testing.T) {
	alone := one
	alone.Revision, alone.Against = "", NoReference
	for _, run := range []Identity{one, alone} {
		if err := run.CheckSame("5", one.Chip, one.Revision); err != nil {
			t.Error(err)
		}
	}
	other := one.Chip
	other.Device = "e"
	for _, err := range []error{one.CheckSame("5", other, one.Revision), one.CheckSame("5", one.Chip, "tt08")} {
		if err == nil ||
			!strings.HasPrefix(err.Error(), "5 is of another chip: ") ||
			!strings.HasSuffix(err.Error(), "; give -t to test the present one") {
			t.Error(err)
		}
	}
}

// A reference that assumes a macro may be at fault itself, unless it is not compared with.
func TestAssumption(t *testing.T) {
	const plain, assuming = "rtl-0123456789", "rtl-0123456789+N=2(test/Makefile:3)+B(test/Makefile:4)"
	for _, c := range []struct {
		id   Identity
		want string
	}{
		{Identity{Chip: Chip{Kind: "rp2040"}, Revision: plain}, "the chip, or a wire,"},
		{Identity{Chip: Chip{Kind: "rp2040"}, Revision: assuming},
			"the chip, or a wire, or the assumption N=2(test/Makefile:3)+B(test/Makefile:4),"},
		{Identity{Chip: Chip{Kind: "netlist"}, Revision: assuming},
			"the simulated design, or the assumption N=2(test/Makefile:3)+B(test/Makefile:4),"},
		{Identity{Chip: Chip{Kind: "rp2040"}, Revision: assuming, Against: NoReference}, "the chip, or a wire,"},
		{Identity{Chip: Chip{Kind: Mock}, Revision: assuming}, "the mock"},
	} {
		if got := c.id.Culprit(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.id, got, c.want)
		}
	}
}
