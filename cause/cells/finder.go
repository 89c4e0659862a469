package cells

import (
	"fmt"
	"io"
	"strings"

	"utfbench/golden"
	"utfbench/tile"
)

// WriteVectors writes the vectors as a suite for bench run --file, with the reference's samples, and comments on the
// purpose of each.
func (x *Extension) WriteVectors(w io.Writer, finders []Finder) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Vectors that find faults of %s that no other finds.\n# Steps are by chance, what has to show "+
		"is the reference's.\nsuite extension\n\ndocument model\nsection \"seed %d\"\n", x.Netlist.Top, x.Seed)
	for i, f := range finders {
		var names []string
		for _, c := range f.Classes {
			names = append(names, fmt.Sprintf("%s (%s)", &c[0], c[0].Type))
		}
		fmt.Fprintf(&b, "\n%s%svector %04d \"steps by chance\"\n", comment(acts(x.Tile, &f)),
			comment("For "+strings.Join(names, ", ")), i+1)
		if len(x.Tile.Others()) > 0 {
			fmt.Fprintf(&b, "  revision %s\n", x.Tile.Revision())
		}
		for k, s := range f.Vector.Steps {
			if k == 0 { // each vector begins with a reset
				continue
			}
			want := f.Vector.Want[k]
			fmt.Fprintf(&b, "  %s\n", golden.StepText(s, golden.Bits{Mask: ^want.OutX, Level: want.Out},
				golden.Bits{Mask: ^want.IOX &^ s.Drive, Level: want.IO}))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// acts describes a vector's steps.
func acts(t tile.Tile, f *Finder) string {
	var all []string
	times := 0
	for i, s := range f.Vector.Steps {
		act := tile.Act(t, s)
		if s.Drive == 0xFF && s.Clocks > 0 && !s.Reset {
			act += fmt.Sprintf(" %02X", s.IO)
		}
		if i > 0 && strings.TrimSuffix(all[len(all)-1], count(times)) == act {
			all = all[:len(all)-1]
		} else {
			times = 0
		}
		times++
		all = append(all, act+count(times))
	}
	text := strings.Join(all, ", ")
	return strings.ToUpper(text[:1]) + text[1:]
}

func count(times int) string {
	if times < 2 {
		return ""
	}
	return fmt.Sprintf(" %d times", times)
}

// comment formats text as lines that begin with #, ending in a full stop.
func comment(text string) string {
	const widest = 118
	line, all := "#", ""
	for _, word := range strings.Fields(text + ".") {
		if len(line)+1+len(word) > widest {
			all += line + "\n"
			line = "#  "
		}
		line += " " + word
	}
	return all + line + "\n"
}
