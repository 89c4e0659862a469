package explain

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// A todo is a suggestion after a run: a sentence and, optionally, a command.
type todo struct{ Why, Command string }

// todos returns suggestions for the verdict. Their commands select the chip with the same flags as the run.
func (p *Page) todos(o report.Outcome, explained *Explanation) (all []todo) {
	on := func(why, command string, more ...string) {
		all = append(all, todo{why, printable.Command(slices.Concat([]string{command}, p.run.Target, more)...)})
	}
	switch o.Verdict() {
	case driver.Fail, driver.Flaky:
		if explained != nil && len(explained.Suspects) > 0 && explained.Verb != unfit {
			all = append(all, todo{Why: "Look here first: " + explained.Suspects[0]})
		}
		// a capture has no vectors
		if a := p.run.Invocation; len(p.shown) > 0 && (a == nil || a.Capture == nil) {
			why := "Repeat the first failure"
			if !p.run.Chipless() {
				why += ", for a probe"
			}
			on(why, "loop", append([]string{p.shown[0].Vector.Name}, a.Flags()...)...)
		}
		if name := p.name(); name != "" {
			again := []string{"run", "--again", name}
			if p.Simulated { // the changed design is another chip, which only -t accepts
				again = slices.Concat([]string{"run"}, p.run.Target, again[1:])
			}
			all = append(all, todo{"After a change, run the same again and compare", printable.Command(again...)})
		}
	case driver.Wiring:
		on("Repair the wire named above, then check all wires", "wiring")
	case driver.Error:
		if o.Tally.Contradictions+o.Tally.IllegalVectors > 0 {
			return []todo{{Why: "Correct the vectors, or their reference, by the reasons above"}}
		}
		on("Find the layer at fault, from the port to the chip", "doctor")
	}
	return all
}

// unbroken keeps each word of a command on one line, since a flag could otherwise wrap after its hyphens.
func unbroken(command string) markup {
	return markup(strings.ReplaceAll(string(in("span", text(command))), " ", "</span> <span>"))
}

func whatToDo(all []todo) markup {
	items := each(all, func(t todo) markup {
		return in("li", text(t.Why), unless(t.Command == "", ":<br>"+in("code", unbroken(t.Command))))
	})
	return unless(items == "", in("section", `<h2 id="todo">What to do</h2>`, in("ol", items)))
}

// name returns the name of the run in commands, or "".
func (p *Page) name() string {
	if p.Number == nil || p.Number() == 0 {
		return ""
	}
	return fmt.Sprint(p.Number())
}
