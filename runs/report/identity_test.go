package report

import (
	"reflect"
	"strings"
	"testing"
)

var one = Identity{Chip{"verilog", "b", "d", "r", "t", "s", "f"}, "utf", "tt09", "a", "v"}

// Differences compares every field, and each difference names both values.
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

// CheckSame requires that all identifying fields equal the run's, except the vectors, and a revision without reference.
func TestStill(t *testing.T) {
	alone := one
	alone.Revision, alone.ReferenceName = "", NoReference
	for _, run := range []Identity{one, alone} {
		if err := run.CheckSame("5", one.Chip, one.Revision); err != nil {
			t.Error(err)
		}
	}
	other := one.Chip
	other.Device = "e"
	for _, err := range []error{one.CheckSame("5", other, one.Revision), one.CheckSame("5", one.Chip, "tt08")} {
		if err == nil || !strings.HasPrefix(err.Error(), "5 is of another chip: ") ||
			!strings.HasSuffix(err.Error(), "; give -t to test the present one") {
			t.Error(err)
		}
	}
}
