package files

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

// DocumentSchema is the version of all documents. It increases when a field is removed or changes its meaning.
const DocumentSchema = 1

// A DocumentHead holds the first fields of every document.
type DocumentHead struct {
	Schema int    `json:"schema"`
	Bench  string `json:"bench"` // version
}

// NewDocumentHead returns the head of a document written by this version of the bench.
func NewDocumentHead(bench string) DocumentHead { return DocumentHead{DocumentSchema, bench} }

// WriteDocument writes a document, indented by two spaces, without HTML escaping.
func WriteDocument(w io.Writer, document any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(document)
}

// ReadDocument reads a document of a command, such as "bench shmoo --json", and makes its texts printable. Errors
// report bad input or come from the reader.
func ReadDocument(r io.Reader, command string, document any) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	var head DocumentHead
	switch {
	case printable.Decode(text, &head) != nil || printable.Decode(text, document) != nil:
		return failure.Usagef("not written by %s", command)
	case head.Schema != DocumentSchema:
		return failure.Usagef("not written by %s, or by another version: schema %d (want %d)", command, head.Schema,
			DocumentSchema)
	}
	return nil
}

// A Build identifies a build. The linker sets it for a release; otherwise both fields are empty.
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

// commitOf returns a build's commit, with a mark if the sources were modified, or "".
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

// Description describes the program, its commit, the Go version and the machine.
func (b Build) Description(program string) string {
	from := ""
	if b.Release != "" {
		from = "commit " + cmp.Or(b.Commit, "unknown") + ", "
	}
	return fmt.Sprintf("%s %s, %s%s, %s/%s", program, b.Version(), from, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}
