package yosys

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/tile/gates"
)

// The text that Yosys prints around preprocessed sources.
const (
	textBegins = "-- Verilog code after preprocessor --\n"
	textEnds   = "-- END OF DUMP --"
)

// stop is a syntax error at which Yosys stops after printing the preprocessed text, before it elaborates anything.
const stop = "endmodule // utfbench\n"

// preprocess returns the sources as one text, with line markers as the only directives. Exactly this text is
// elaborated, so the digest covers the files read.
func (r *run) preprocess(ctx context.Context) (string, error) {
	args := []string{"-q", "-Q", "-T", "-l", "/dev/stdout", "-p", "read_verilog -sv -nodpi -ppdump"}
	for i, dir := range r.Includes {
		whole, err := filepath.Abs(dir)
		if err != nil {
			return "", err
		}
		if err := os.Symlink(whole, filepath.Join(r.dir, included(i))); err != nil {
			return "", err
		}
		args[len(args)-1] += " -I" + included(i)
	}
	args[len(args)-1] += " main.v"
	main, err := r.main()
	if err == nil {
		err = r.write("main.v", main)
	}
	if err != nil {
		return "", err
	}
	out, messages, err := r.invoke(ctx, r.dir, args...)
	_, text, begun := strings.Cut(out, textBegins)
	end := strings.LastIndex(text, textEnds)
	switch {
	case err == nil:
		return "", errors.New("yosys has taken a text that is no Verilog")
	case !begun || end < 0:
		return "", limits.ExplainError("Yosys", err, messages, r.reason)
	}
	before, after, stopped := strings.Cut(text[:end], strings.Fields(stop)[0])
	if !stopped {
		return "", errors.New("yosys has not printed the text that it preprocessed")
	}
	return r.absolute(before + after), nil
}

// included returns the name of an include folder in the run's folder.
func included(i int) string { return fmt.Sprint("include", i) }

// main writes a file that includes all sources. Each source has its own default nettype, as if it were read separately.
func (r *run) main() (string, error) {
	var b strings.Builder
	b.WriteString(stop)
	for _, d := range r.Defines {
		name, value, given := strings.Cut(d, "=")
		if !given {
			value = "1" // as in Icarus
		}
		fmt.Fprintf(&b, "`define %s %s\n", name, value)
	}
	for _, s := range r.Sources {
		whole, err := filepath.Abs(s)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "`default_nettype wire\n`include \"%s\"\n", whole)
	}
	return b.String(), nil
}

// marker matches the lines of a preprocessed text at which a file begins or ends.
var marker = printable.LazyRegexp("(?m)^`file_(?:push \"(.*)\"|pop)$")

// absolute replaces the names of files in include folders with their names outside the run.
func (r *run) absolute(text string) string {
	return marker().ReplaceAllStringFunc(text, func(line string) string {
		for i, dir := range r.Includes {
			whole, err := filepath.Abs(dir)
			if rest, is := strings.CutPrefix(line, "`file_push \""+included(i)+"/"); is && err == nil {
				return "`file_push \"" + whole + "/" + rest
			}
		}
		return line
	})
}

func filesOf(text string) (all []string) {
	for _, m := range marker().FindAllStringSubmatch(text, -1) {
		if m[1] != "" && m[1] != "main.v" && !slices.Contains(all, m[1]) {
			all = append(all, m[1])
		}
	}
	return all
}

// allowed rejects files outside the folders of project, includes and data, except sources.
func (r *run) allowed(files []string) ([]string, error) {
	var folders []string
	for _, dir := range slices.Concat([]string{r.ProjectDir, r.DataDir}, r.Includes) {
		if whole, err := filepath.Abs(dir); err == nil && dir != "" {
			folders = append(folders, whole+string(filepath.Separator))
		}
	}
	for _, s := range r.Sources {
		if whole, err := filepath.Abs(s); err == nil {
			folders = append(folders, whole)
		}
	}
	for _, f := range files {
		within := func(dir string) bool { return strings.HasPrefix(filepath.Clean(f), dir) }
		if !slices.ContainsFunc(folders, within) {
			return nil, failure.Usagef("the design reads %s, which is outside of %s: a tile's files must be in its "+
				"folder, or in `includes` and `workdir` of bench-tile.yaml", f, r.ProjectDir)
		}
	}
	return files, nil
}

func (r *run) users(path string) string {
	for _, s := range r.Sources {
		if whole, err := filepath.Abs(s); err == nil && whole == path {
			return s
		}
	}
	home, err := filepath.Abs(r.ProjectDir)
	if rest, is := strings.CutPrefix(path, home+string(filepath.Separator)); is && err == nil {
		return filepath.Join(r.ProjectDir, rest)
	}
	return path
}

// inUsersWords returns an error with file names as given by the user.
func (r *run) inUsersWords(err error) error {
	text := err.Error()
	if home, e := filepath.Abs(r.ProjectDir); e == nil {
		text = strings.ReplaceAll(text, home+"/", filepath.Clean(r.ProjectDir)+"/")
	}
	return errors.New(text)
}

// complaint matches an error of Yosys, with its place if there is one.
var complaint = printable.LazyRegexp(`(?m)^(?:([^:\n]*:\d+): )?ERROR: (.+)$`)

// absent matches Yosys' error about a module that no source defines, and the instance that uses it.
var absent = printable.LazyRegexp("^Module `\\\\(.+)' referenced in module `\\\\(.+)' in cell `\\\\(.+)' is not part")

func modulesIn(paths []string) (names []string) {
	for _, path := range paths {
		text, _ := files.Verilog.Read(path) // without it no names are suggested
		for _, m := range declared().FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// unclear lists messages of Yosys that a newcomer cannot understand, with clearer words for them.
var unclear = []struct {
	pattern *regexp.Regexp
	words   string
}{
	{regexp.MustCompile(`\bTOK_ID\b`), "name"},
	{regexp.MustCompile("^Latch inferred for signal `\\\\(.+)\\.\\\\(.+)' from always_comb .*"),
		"$2 of module $1 would be a latch, since its always_comb does not assign it in every case: assign a default " +
			"first"},
	{regexp.MustCompile(`^Cell port (\w+)\.(.+)\.(\w+) is driving constant bits: (\S+) <=.*`), "the output $3 of the " +
		"instance $2 in $1 drives bits that are $4 by an assignment as well: assign each bit in one place"},
	{regexp.MustCompile(`^Multiple edge sensitive events.*`), "an always block lists several edges, and does not " +
		"begin with an if for its asynchronous reset, as in always @(posedge clk or negedge rst_n) if (!rst_n)"},
	{regexp.MustCompile("^Module .(?:\\$paramod(?:\\$\\w+)?)?\\\\?(\\w+).*' referenced in module " +
		".\\\\?(.+?)' in cell .\\\\?(.+?)' does not have a port named '(.+)'.*"),
		"$1 has no port $4, which its instance $3 in $2 connects"},
	{regexp.MustCompile("Can not open file `(.*)` for \\\\\\$readmem(.).*"), "no data file $1 for $$readmem$2: " +
		"`workdir` of bench-tile.yaml is the folder that such names are relative to"},
}

func inWords(what string) string {
	for _, u := range unclear {
		what = u.pattern.ReplaceAllString(what, u.words)
	}
	return token().ReplaceAllStringFunc(what, func(t string) string { return strings.ToLower(t[len("TOK_"):]) })
}

var token = printable.LazyRegexp(`\bTOK_\w+`)

// unincluded matches Yosys' error about a missing include file. The error does not name the place.
var unincluded = printable.LazyRegexp("^Can't open include file `(.*)'!")

// including returns the place of the directive that includes a file, followed by ": ", or "" if no source includes it.
func (r *run) including(name string) string {
	for _, path := range r.Sources {
		text, err := files.Verilog.Read(path)
		if err != nil {
			continue // Yosys reports it
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "`include") && strings.Contains(line, `"`+name+`"`) {
				return fmt.Sprintf("%s:%d: ", path, i+1)
			}
		}
	}
	return ""
}

// reason returns the first error in Yosys' output.
func (r *run) reason(messages string) string {
	m := complaint().FindStringSubmatch(messages)
	if m == nil {
		line, _, _ := strings.Cut(strings.TrimSpace(messages), "\n")
		if line == "" {
			return "it gives no reason"
		}
		return line
	}
	what := inWords(strings.TrimSpace(m[2]))
	if n := unincluded().FindStringSubmatch(what); n != nil {
		return fmt.Sprintf("%sno include file %s beside the sources: `includes` of bench-tile.yaml adds a folder",
			r.including(n[1]), n[1])
	}
	if n := absent().FindStringSubmatch(what); n != nil {
		return fmt.Sprintf("module %s, which module %s has as %s, is in none of the sources%s: list its file in "+
			"source_files; of a macro, such as an SRAM, a file with (* blackbox *) and its ports will do; or give "+
			"--tile the netlist that was fabricated", n[1], n[2], n[3], failure.DidYouMean(n[1], modulesIn(r.Sources)))
	}
	if m[1] == "" {
		return what
	}
	file, line, _ := strings.Cut(m[1], ":")
	switch {
	case file == r.own("design.v") && strings.Contains(what, "end of file"): // at the end of the last source
		return r.Sources[len(r.Sources)-1] + ": it ends inside of a module: is an endmodule missing?"
	case line == "0": // Yosys does not know the line
		return r.users(file) + ": " + what
	}
	return r.users(file) + ":" + line + ": " + what
}

// Patterns for names in a text that may be cells of a kit, and for declarations.
var (
	kitName  = printable.LazyRegexp(`\b(?:sky130|gf180mcu|sg13g2)_\w+\b`)
	declared = printable.LazyRegexp(`\b(?:module|primitive)\s+\\?([\w$]+)`)
)

// byPosition is the first port of a declared cell if the order of its ports is unknown. An instance with pins by
// position connects this port, and is rejected.
const byPosition = "utfbench_by_position"

// kitModules returns declarations of the kits' cells that a text uses but does not declare.
func kitModules(text string) string {
	own := map[string]bool{}
	for _, m := range declared().FindAllStringSubmatch(text, -1) {
		own[m[1]] = true
	}
	var b strings.Builder
	for _, name := range kitName().FindAllString(text, -1) {
		if c, is := gates.FindCell(name); is && !own[name] {
			own[name] = true
			declare(&b, name, c)
		}
	}
	return b.String()
}

// declare writes the declaration of a cell: its outputs, inputs and supplies, in the kit's order if that is known.
func declare(b *strings.Builder, name string, c *gates.Cell) {
	fmt.Fprintf(b, "\n(* blackbox *) module %s(", name)
	if !gates.HasOrderedPorts(name) {
		fmt.Fprintf(b, "inout %s, ", byPosition)
	}
	for _, pin := range c.Outputs() {
		fmt.Fprintf(b, "output %s, ", pin)
	}
	for _, pin := range c.Inputs {
		fmt.Fprintf(b, "input %s, ", pin)
	}
	fmt.Fprintf(b, "inout %s); endmodule\n", strings.Join(gates.SupplyPins(), ", "))
}
