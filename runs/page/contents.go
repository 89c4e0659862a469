package page

import (
	"html/template"
	"reflect"
	"strings"
)

// A section is one that the page may have: the id of its heading, what its link says, and which of the data it shows.
type section struct{ ID, Words, shows string }

var sections = []section{
	{"explained", "What explains it", "Explanation"}, {"suites", "Suites", "Suites"},
	{"compared", "What was compared", "Evidence"}, {"lines", "Lines", "Lines"},
	{"flaky", "Now and then", "Flaky"}, {"shmoo", "Under which times", "Shmoo"}, {"timing", "How fast", "Timing"},
	{"inside", "Which cell", "Inside"}, {"failures", "Failures", "Failures"},
	{"others", "All that did not pass", "Others"}, {"origin", "Where this comes from", "Facts"},
}

// contents returns the sections that the page has with this data; none for a short page.
func contents(data map[string]any) (all []section) {
	for _, s := range sections {
		if v := data[s.shows]; v != nil && !reflect.ValueOf(v).IsZero() {
			all = append(all, s)
		}
	}
	if len(all) <= 3 {
		return nil
	}
	return all
}

// breaks allows line breaks after each part of a long name.
func breaks(name string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(name), "/", "/<wbr>"))
}
