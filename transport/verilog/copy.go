package verilog

import (
	"context"
	"regexp"
)

// named finds what may be named from anywhere in a design.
var named = regexp.MustCompile(
	`\b(?:macromodule|module|package|interface|primitive)\s+(?:automatic\s+|static\s+)?(\w+)`)

// word finds names, and what is to be left as it is: comments, strings, escaped names, system tasks, based numbers.
var word = regexp.MustCompile(`//[^\n]*|/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"|\\\S+|\$\w+|` +
	`'[sS]?[bBoOdDhH]\s*[0-9a-fA-FxXzZ?_]+|[A-Za-z_][A-Za-z0-9_$]*`)

// Copy is a design as one text of Verilog, preprocessed, in which prefix is before the name of every module: it can be
// in one simulation with a module that has the top module's name. The top module's name in it is given too.
func Copy(ctx context.Context, c Config, prefix string) (text, top string, err error) {
	t, err := findTool(c.Simulator)
	if err != nil {
		return "", "", err
	}
	d, err := t.read(ctx, &c)
	if err != nil {
		return "", "", err
	}
	text = lineOfFile.ReplaceAllString(d.whole(), "")
	names := map[string]bool{}
	for _, m := range named.FindAllStringSubmatch(commentOrString.ReplaceAllString(text, " "), -1) {
		names[m[1]] = true
	}
	text = word.ReplaceAllStringFunc(text, func(word string) string {
		if names[word] {
			return prefix + word
		}
		return word
	})
	return text, prefix + d.top.name, nil
}
