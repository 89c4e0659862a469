package explain

import (
	"fmt"
	"html"
	"strings"

	"utfbench/internal/printable"
)

// markup is HTML text. Constants of this package are markup; the function text escapes all other text. Package
// html/template could do the same, but a program that links it keeps every exported method of every type, which would
// be a quarter of the size of the browser's page.
type markup string

// text formats a value as fmt.Sprint does, and escapes it.
func text(v any) markup { return markup(html.EscapeString(fmt.Sprint(v))) }

// breaks returns a long name that may wrap after each of its parts.
func breaks(name string) markup { return markup(strings.ReplaceAll(string(text(name)), "/", "/<wbr>")) }

// in returns an element with its contents. tag is the opening tag without brackets, such as `p class="soft"`.
func in(tag string, contents ...markup) markup {
	name, _, _ := strings.Cut(tag, " ")
	return markup("<"+tag+">") + join(contents) + markup("</"+name+">")
}

func join(parts []markup) markup { return each(parts, func(m markup) markup { return m }) }

// each returns the markup of every element of a list.
func each[T any](list []T, show func(T) markup) markup {
	var all strings.Builder
	for _, v := range list {
		all.WriteString(string(show(v)))
	}
	return markup(all.String())
}

func unless(empty bool, contents markup) markup {
	if empty {
		return ""
	}
	return contents
}

// table returns a table that scrolls if it is too wide, or "" if it has no rows.
func table(t *printable.Table) markup {
	text := t.HTML()
	return unless(text == "", wide(markup(text)))
}

func wide(contents markup) markup { return in(`div class="wide" tabindex="0"`, contents) + "\n" }

func list(values []string) markup {
	return unless(len(values) == 0, in("ul", each(values, func(v string) markup { return in("li", text(v)) })))
}
