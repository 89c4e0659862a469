package yosys

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
)

// selector is the port of a mutated design whose level is the number of the mutation that acts, from 1; 0 is none.
const selector = "utfbench_mutation"

// afterMutations is the command of the script before which mutations are made: cells still stand for the author's
// operators.
const afterMutations = "fsm_detect\n"

// Mutate returns a design with up to n mutations by Yosys' command mutate, drawn by a seed. None is active: a mutation
// acts while the output of its gates.MutationCell is 1. They are compiled as the design is.
func Mutate(ctx context.Context, d Design, n int, seed uint64) (*sim.Circuit, []gates.Mutation, error) {
	r, err := begin(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	defer r.end()
	if _, err := r.made(ctx); err != nil { // perhaps only the translated text elaborates
		if _, err = r.translated(ctx, err); err != nil {
			return nil, nil, err
		}
	}
	text := marker().ReplaceAllStringFunc(r.text, func(line string) string { // names end at spaces in mutate's commands
		return strings.Replace(strings.ReplaceAll(line, " ", "%20"), "%20", " ", 1)
	})
	if err := r.write("design.v", text+kitModules(text)+"\n`default_nettype wire\n"); err != nil {
		return nil, nil, err
	}
	before, after, _ := strings.Cut(script, afterMutations)
	list := r.own("mutations.ys")
	if strings.ContainsAny(list, " \t") { // which mutate -o takes for two words
		return nil, nil, fmt.Errorf("%s: mutations need a temporary folder without spaces: set TMPDIR", list)
	}
	_, err = r.call(ctx, r.where, []string{"hierarchy -check -top " + r.Top, before,
		fmt.Sprintf("mutate -list %d -seed %d -ctrl %s %d 1 -o %s", n, seed&(1<<31-1), selector, bits.Len(uint(n)), list),
		"script " + list, afterMutations + after}, "-b", "json", "-o", r.own("mutated.json"))
	if err != nil {
		return nil, nil, err
	}
	commands, err := os.ReadFile(list)
	if err != nil {
		return nil, nil, err
	}
	netlist, err := jsonFile.Read(r.own("mutated.json"))
	if err != nil {
		return nil, nil, err
	}
	c, err := ParseJSON(netlist, d.Top)
	if err != nil {
		return nil, nil, failure.Usage(r.inUsersWords(err))
	}
	var all []gates.Mutation
	for line := range strings.Lines(string(commands)) {
		all = append(all, r.mutation(line))
	}
	selectable(c, len(all))
	return c, all, nil
}

// selectable drives the selector of a mutated circuit by a cell for each mutation.
func selectable(c *sim.Circuit, n int) {
	number := c.Port(selector)
	c.Ports = slices.DeleteFunc(c.Ports, func(p sim.Port) bool { return p.Name == selector })
	acts := make([]sim.Net, n)
	for i := range acts {
		c.Begin(fmt.Sprintf("mutation %d", i+1), gates.MutationCell, 0)
		acts[i] = c.Gate(sim.Buf, sim.Zero)
		c.AddPin("Y", acts[i], true)
	}
	c.Begin(selector, "", 0)
	for b, net := range number {
		is := sim.Zero
		for i := range acts {
			if (i+1)>>b&1 != 0 {
				is = c.Gate(sim.Or, is, acts[i])
			}
		}
		c.Add(sim.Buf, net, is)
	}
}

// mutation describes one command of mutate -list. Its last place in the sources is the cell's own.
func (r *run) mutation(command string) (m gates.Mutation) {
	words, of := strings.Fields(command), map[string]string{}
	for i, w := range words[:len(words)-1] {
		if strings.HasPrefix(w, "-") {
			of[w] = words[i+1]
		}
		if w == "-src" && len(ownPlaces(words[i+1])) > 0 {
			file, line := place(ownPlaces(words[i+1])[0])
			m.Place = fmt.Sprintf("%s:%d", r.users(strings.ReplaceAll(file, "%20", " ")), line)
		}
	}
	cell := of["-cell"]
	if kind := cellKind().FindStringSubmatch(cell); kind != nil {
		cell = cmp.Or(cellWords[kind[1]], "the logic "+kind[1])
	}
	port := of["-port"]
	m.Change = fmt.Sprintf("bit %s of %s of %s", of["-portbit"], cmp.Or(portWords[port], port), cell)
	if of["-wire"] != "" && !strings.HasPrefix(of["-wire"], "$") {
		m.Change = fmt.Sprintf("bit %s of %s", of["-wirebit"], of["-wire"])
	}
	switch mode := of["-mode"]; mode {
	case "inv":
		m.Change += " inverted"
	case "const0", "const1":
		m.Change += " always " + mode[len("const"):]
	default: // cnot0 or cnot1
		m.Change += fmt.Sprintf(" inverted while bit %s of it is %s", of["-ctrlbit"], strings.TrimPrefix(mode, "cnot"))
	}
	return m
}

// cellKind matches the kind of a cell in a name that Yosys has made: add in $flatten\u.$add$src/x.v:3$4.
var cellKind = printable.Regexp(`(?:^|\.)\$([a-z_]+)\$`)

// cellWords maps the kinds of Yosys' cells to an author's words.
var cellWords = map[string]string{"add": "+", "sub": "-", "neg": "a negation", "mul": "*", "div": "/", "mod": "%",
	"eq": "==", "eqx": "===", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "not": "~", "and": "&", "or": "|",
	"xor": "^", "xnor": "~^", "logic_not": "!", "logic_and": "&&", "logic_or": "||", "reduce_and": "&",
	"reduce_or": "|", "reduce_xor": "^", "reduce_bool": "a condition", "shl": "<<", "shr": ">>", "sshr": ">>>",
	"shiftx": "an index", "mux": "a choice", "ternary": "?:", "pmux": "a case", "procmux": "an if or case",
	"procdff": "a register", "dff": "a register", "adff": "a register", "sdff": "a register", "dffe": "a register"}

// portWords maps the ports of Yosys' cells to an author's words.
var portWords = map[string]string{"A": "the first operand", "B": "the second operand", "Y": "the result",
	"S": "the condition", "D": "the next value", "Q": "the value", "CLK": "the clock", "EN": "the enable",
	"ARST": "the reset", "SRST": "the reset"}
