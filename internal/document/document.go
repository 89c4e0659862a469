// Package document writes a command's findings for programs, with the build that wrote them and the tags of their
// circumstances, such as a supply voltage.
//
// # Words
//
//   - A document is one JSON object, which begins with its [Head]. Names are in
//     snake_case, with the unit as a suffix: _ns, _hz, _bytes. An empty list is
//     present; an unknown value is null or missing.
//   - docs/schemas has a JSON Schema for each document, which tests enforce.
package document

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// Schema is the version of all documents. It increases when a field is removed or changes its meaning; new fields do
// not change it.
const Schema = 1

// A Head begins every document.
type Head struct {
	Schema int    `json:"schema"`
	Bench  string `json:"bench"` // version
}

// NewHead returns a document's head with this version of the bench.
func NewHead(bench string) Head { return Head{Schema, bench} }

// Write writes a document, indented by two spaces, without HTML escaping.
func Write(w io.Writer, document any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(document)
}

// Read reads a document of a command, such as "bench shmoo --json", and makes the texts in it printable. An error is
// bad input, or the reader's.
func Read(r io.Reader, command string, document any) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	var head Head
	switch {
	case printable.Decode(text, &head) != nil || printable.Decode(text, document) != nil:
		return failure.Usagef("not written by %s", command)
	case head.Schema != Schema:
		return failure.Usagef("not written by %s, or by another version: schema %d (want %d)", command, head.Schema,
			Schema)
	}
	return nil
}

// A Build is set by the linker for a release; otherwise both fields are empty.
type Build struct{ Release, Commit string }

// Version returns the release, or else the commit.
func (b Build) Version() string {
	if b.Release != "" {
		return b.Release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return cmp.Or(commitOf(info), info.Main.Version)
}

// commitOf returns a build's commit, marked if modified, or "".
func commitOf(info *debug.BuildInfo) string {
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + dirty
}

// Line describes the program, its commit, the Go version and the machine.
func (b Build) Line(program string) string {
	from := ""
	if b.Release != "" {
		from = "commit " + cmp.Or(b.Commit, "unknown") + ", "
	}
	return fmt.Sprintf("%s %s, %s%s, %s/%s", program, b.Version(), from, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}
