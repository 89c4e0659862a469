package verilog

import (
	"context"
	"regexp"
)

// A Copy is a design as one text of Verilog, preprocessed, in which every module has another name than in its sources:
// it can be in one simulation with a module that has the top module's name.
type Copy struct{ Text, Top string }

// named finds what may be named from anywhere in a design.
var named = regexp.MustCompile(`\b(?:macromodule|module|package|interface|primitive)\s+(?:automatic\s+|static\s+)?(\w+)`)

// MakeCopy preprocesses a design's sources and puts prefix before each name. The design's libraries of cells, which no
// preprocessor reads whole, are not in it.
func MakeCopy(ctx context.Context, c Config, prefix string) (Copy, error) {
	t, err := findTool(c.Simulator)
	if err != nil {
		return Copy{}, err
	}
	if len(c.CellsDirs) > 0 {
		return Copy{}, inputErrorf("the cells in %s are no text that can be copied", c.CellsDirs[0])
	}
	text, top, err := t.read(ctx, &c)
	if err != nil {
		return Copy{}, err
	}
	names := map[string]bool{}
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		names[m[1]] = true
	}
	text = token.ReplaceAllStringFunc(lineOfFile.ReplaceAllString(text, ""), func(word string) string {
		if names[word] {
			return prefix + word
		}
		return word
	})
	return Copy{text, prefix + top.name}, nil
}
