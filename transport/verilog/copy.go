package verilog

import (
	"context"
	"regexp"

	"utfbench/internal/failure"
)

// named finds what may be named from anywhere in a design.
var named = regexp.MustCompile(
	`\b(?:macromodule|module|package|interface|primitive)\s+(?:automatic\s+|static\s+)?(\w+)`)

// word finds names, and what is to be left as it is: comments, strings, escaped names, system tasks, based numbers.
var word = regexp.MustCompile(`//[^\n]*|/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"|\\\S+|\$\w+|` +
	`'[sS]?[bBoOdDhH]\s*[0-9a-fA-FxXzZ?_]+|[A-Za-z_][A-Za-z0-9_$]*`)

// Copy is a design as one text of Verilog, preprocessed, in which prefix is before the name of every module: it can be
// in one simulation with a module that has the top module's name. The top module's name in it is given too. Folders of
// cells, which no preprocessor reads, cannot be copied.
func Copy(ctx context.Context, c Config, prefix string) (text, top string, err error) {
	t, err := findTool(c.Simulator)
	if err != nil {
		return "", "", err
	}
	if len(c.CellsDirs) > 0 {
		return "", "", failure.Usagef("the cells in %s are no text that can be copied", c.CellsDirs[0])
	}
	text, module, err := t.read(ctx, &c)
	if err != nil {
		return "", "", err
	}
	cells, err := t.kitCells(ctx, &c, text)
	if err != nil {
		return "", "", err
	}
	text += cells
	names := map[string]bool{}
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		names[m[1]] = true
	}
	text = word.ReplaceAllStringFunc(lineOfFile.ReplaceAllString(text, ""), func(word string) string {
		if names[word] {
			return prefix + word
		}
		return word
	})
	return text, prefix + module.name, nil
}
