package project

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/transport"
)

func (p *Project) readInfo() error {
	text, err := files.Project.Read(p.Info)
	if err != nil {
		return err
	}
	return p.parseInfo(text)
}

func (p *Project) parseInfo(text []byte) error {
	f, err := files.ParseYAML(p.Info, "an info.yaml", 2, text)
	if err != nil {
		return err
	}
	r := &reader{p, f}
	err = f.Each(f.Body, "an info.yaml", func(e *ast.MappingValueNode) error {
		switch key(e) {
		case "project":
			return r.project(e.Value)
		case "pinout":
			r.Lines["pinout"] = files.YAMLLine(e)
			return r.pinout(e.Value)
		case "documentation": // up to version 4
			return r.documentation(e.Value)
		case "yaml_version":
			r.version(e)
		default:
			r.misspelt(e, "project", "pinout", "documentation", "yaml_version")
		}
		return nil
	})
	return cmp.Or(err, r.complete())
}

// latest is the latest version of info.yaml that this package reads.
const latest = 6

// version adds a finding for a version that this package does not know.
func (r *reader) version(e *ast.MappingValueNode) {
	text := scalar(e.Value)
	if n, err := strconv.Atoi(text); err != nil || n < 1 || n > latest {
		r.UnknownEntries = append(r.UnknownEntries, Finding{r.Info, files.YAMLLine(e),
			fmt.Sprintf("yaml_version %s is unknown: the bench reads versions 1 to %d", printable.Text(text), latest)})
	}
}

// A reader fills in a project from a file.
type reader struct {
	*Project
	*files.YAML
}

// complete returns an error if a required field is missing; it points to a misspelt key that may be the cause.
func (r *reader) complete() error {
	missing, remedy := "source_files", "list them under project:, relative to the folder src"
	switch {
	case r.Netlist != "" || r.Top != "" && len(r.Sources) > 0:
		return nil
	case r.Top == "":
		missing, remedy = "top_module", "add it under project:, as in top_module: \"tt_um_NAME\""
	}
	for _, f := range r.UnknownEntries {
		if strings.Contains(f.Text, "did you mean "+missing) {
			return failure.Usagef("%s", f)
		}
	}
	return failure.Usagef("%s:1: no %s: %s", r.Info, missing, remedy)
}

func (r *reader) project(n ast.Node) error {
	return r.Each(n, "project", func(e *ast.MappingValueNode) (err error) {
		text := scalar(e.Value)
		switch key(e) {
		case "title":
			r.Title = text
		case "author":
			r.Author = text
		case "top_module":
			if !moduleName().MatchString(text) {
				return r.Errorf(e.Value, "top_module %q is no name of a Verilog module", text)
			}
			r.Top = text
			r.Lines["top_module"] = files.YAMLLine(e)
		case "wokwi_id":
			if text != "" && text != "0" && r.Netlist == "" {
				return r.Errorf(e, "this is a Wokwi drawing, which has no RTL here: give --tile the netlist that "+
					"was fabricated, NAME.v with info.yaml beside it, as the shuttle's repository has them")
			}
		case "clock_hz":
			r.clock(e.Value)
		case "analog_pins":
			if r.Analog, err = strconv.Atoi(text); err != nil || r.Analog < 0 {
				return r.Errorf(e.Value, "analog_pins %q is not a number of pins", text)
			}
			r.Lines["analog"] = files.YAMLLine(e)
		case "source_files":
			if r.Netlist == "" { // a shuttle's folder has no sources
				return r.sources(e.Value)
			}
		default:
			r.misspelt(e, "title", "author", "description", "discord", "language", "tiles", "uses_3v3", "top_module",
				"wokwi_id", "clock_hz", "analog_pins", "source_files")
		}
		return nil
	})
}

// misspelt adds a finding for a key that is similar to one of these words. The bench ignores other unknown keys.
func (r *reader) misspelt(e *ast.MappingValueNode, words ...string) {
	if hint := failure.DidYouMean(key(e), words); hint != "" && !slices.Contains(words, key(e)) {
		r.UnknownEntries = append(r.UnknownEntries, Finding{r.Info, files.YAMLLine(e),
			fmt.Sprintf("the key %s is unknown, and has no effect%s", printable.Text(key(e)), hint)})
	}
}

// clock parses the author's frequency: in Hz, or with a unit, such as 12MHz. Check reports invalid text.
func (r *reader) clock(n ast.Node) {
	text := strings.NewReplacer("_", "", " ", "").Replace(scalar(n))
	hz, is := transport.ParseFrequency(text)
	if !is {
		hz, is = transport.ParseFrequency(text + "Hz")
	}
	switch {
	case is && hz < 1<<40:
		r.ClockHz = int(hz)
	case strings.Trim(text, "0.") != "":
		r.Lines["clock"] = files.YAMLLine(n)
	}
}

var moduleName = printable.LazyRegexp(`^[A-Za-z_][A-Za-z0-9_$]*$`)

// sources parses the sources, which are relative to src.
func (r *reader) sources(n ast.Node) error {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		return r.Errorf(n, "source_files has to be a list of files in the folder src")
	}
	var at ast.Node
	var missing []string
	for _, v := range list.Values {
		name := scalar(v)
		if name == "" {
			return r.Errorf(v, "source_files: an entry without a name")
		}
		path := filepath.Join(r.Dir, "src", filepath.FromSlash(name))
		if !exists(path) {
			at, missing = cmp.Or(at, v), append(missing, path+r.meant(name))
		}
		r.Sources = append(r.Sources, Source{path, files.YAMLLine(v)})
	}
	if missing == nil {
		return nil
	}
	return r.Errorf(at, "source_files: there is no %s%s", strings.Join(missing, ", no "), r.beside())
}

// meant returns a hint that names the file that the author may have meant instead of a missing source.
func (r *reader) meant(name string) string {
	path := filepath.Join(r.Dir, name)
	if in, is := strings.CutPrefix(filepath.ToSlash(name), "src/"); is && exists(path) {
		return fmt.Sprintf(" (write %q: it is relative to src)", in)
	}
	if filepath.IsLocal(name) && exists(path) {
		return fmt.Sprintf(" (move %s there)", path)
	}
	return failure.DidYouMean(name, r.files())
}

// beside returns a hint if a folder without sources has a netlist, as a copy of a shuttle's folder does.
func (r *reader) beside() string {
	netlists, _ := filepath.Glob(filepath.Join(r.Dir, "tt_um_*.v"))
	if len(netlists) == 0 || exists(filepath.Join(r.Dir, "src")) {
		return ""
	}
	return ": to take the netlist, give --tile " + netlists[0]
}

func (r *reader) files() (names []string) {
	found, _ := os.ReadDir(filepath.Join(r.Dir, "src")) // after an error, none are proposed
	for _, f := range found {
		names = append(names, f.Name())
	}
	return names
}

// pinout parses the section of versions from 6 on, with a key for each pin, ui[0] to uio[7].
func (r *reader) pinout(n ast.Node) error {
	return r.Each(n, "pinout", func(e *ast.MappingValueNode) error {
		if m := pinKey().FindStringSubmatch(key(e)); m != nil {
			r.name(m[1]+m[2], e.Value)
		} else if text := key(e); text != "" && !strings.HasPrefix(text, "ua[") { // analog pins have no digital lines
			r.UnknownEntries = append(r.UnknownEntries, Finding{r.Info, files.YAMLLine(e), "pinout has " +
				printable.Text(text) + ", which is no pin: those are ui[0] to ui[7], uo[0] to uo[7], uio[0] to uio[7]"})
		}
		return nil
	})
}

var pinKey = printable.LazyRegexp(`^(ui|uo|uio)\[([0-7])\]$`)

// documentation parses the section of versions up to 4: a list for each group of pins, and the title and clock of some.
func (r *reader) documentation(n ast.Node) error {
	return r.Each(n, "documentation", func(e *ast.MappingValueNode) error {
		switch key(e) {
		case "title":
			r.Title = scalar(e.Value)
		case "clock_hz":
			r.clock(e.Value)
		}
		group := map[string]string{"inputs": "ui", "outputs": "uo", "bidirectional": "uio"}[key(e)]
		if list, ok := e.Value.(*ast.SequenceNode); ok && group != "" {
			for i, v := range list.Values[:min(8, len(list.Values))] {
				r.name(fmt.Sprint(group, i), v)
			}
		}
		return nil
	})
}

func (r *reader) name(line string, n ast.Node) {
	r.Lines[line] = files.YAMLLine(n)
	if text := strings.Join(strings.Fields(scalar(n)), " "); text != "" && text != "none" {
		r.Pins[line] = printable.Text(text)
	}
}

func key(e *ast.MappingValueNode) string { return scalar(e.Key) }

// scalar returns the text of a scalar node, or "" for null and any other node.
func scalar(n ast.Node) string {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value
	case *ast.LiteralNode:
		return strings.TrimSpace(v.Value.Value)
	case *ast.NullNode, nil:
		return ""
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode:
		return ""
	}
	return n.GetToken().Value
}
