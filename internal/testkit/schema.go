package testkit

import (
	"encoding/json"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema reads a schema of docs/schemas by its name without .schema.json. Published schemas allow additional fields;
// the returned one does not, so that undocumented fields are found.
func Schema(t testing.TB, name string) *jsonschema.Resolved {
	t.Helper()
	folder := filepath.Join(root(t), "docs", "schemas")
	base := &url.URL{Scheme: "schemas", Path: "/" + name + ".schema.json"}
	load := func(uri *url.URL) (*jsonschema.Schema, error) {
		return readShut(filepath.Join(folder, path.Base(uri.Path)))
	}
	s, err := load(base)
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{BaseURI: base.String(), Loader: load})
	if err != nil {
		t.Fatal(name, ": ", err)
	}
	return resolved
}

// CheckSchema returns an error if a document violates a schema.
func CheckSchema(s *jsonschema.Resolved, document string) error {
	var doc any
	if err := json.Unmarshal([]byte(document), &doc); err != nil {
		return err
	}
	return s.Validate(doc)
}

// readShut reads a schema, and forbids undocumented fields.
func readShut(file string) (*jsonschema.Schema, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	shut(doc)
	if text, err = json.Marshal(doc); err != nil {
		return nil, err
	}
	s := new(jsonschema.Schema)
	return s, json.Unmarshal(text, s)
}

// shut forbids undocumented fields in all objects of a schema.
func shut(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		kinds, _ := s["type"].([]any)
		object := s["type"] == "object" || slices.Contains(kinds, any("object"))
		if _, described := s["properties"]; described && object {
			s["unevaluatedProperties"] = false
		}
		for _, part := range s {
			shut(part)
		}
	case []any:
		for _, part := range s {
			shut(part)
		}
	}
}

// root returns the module's folder.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("no go.mod above this folder: ", err)
	return ""
}
