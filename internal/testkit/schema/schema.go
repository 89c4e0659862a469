// Package schema checks documents against docs/schemas. Few tests need its library, which takes time to compile, to
// link and to start: so it is no part of testkit.
package schema

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Compile compiles a schema of docs/schemas by its name without .schema.json. Published schemas allow additional
// fields; this one does not, so that undocumented fields are found.
func Compile(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root(t), "docs", "schemas", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no schemas: ", err)
	}
	c := jsonschema.NewCompiler()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(path, ": ", err)
		}
		shut(doc)
		if err := c.AddResource("schemas:///"+filepath.Base(path), doc); err != nil {
			t.Fatal(path, ": ", err)
		}
	}
	s, err := c.Compile("schemas:///" + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Holds returns an error if a document violates a schema.
func Holds(s *jsonschema.Schema, document string) error {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		return err
	}
	return s.Validate(doc)
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
