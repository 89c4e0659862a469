package wiring

import (
	"testing"

	"utfbench/driver"
	"utfbench/internal/cli"
)

// Each state of the wires is explained.
func TestWords(t *testing.T) {
	for _, word := range states {
		if _, err := cli.NewBook(driver.Glossary, Glossary).Find(word); err != nil {
			t.Error(err)
		}
	}
}
