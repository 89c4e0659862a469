package explain

import (
	"testing"

	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/internal/glossary"
)

// Each word that a check of the wires ends with is explained.
func TestWordsOfWires(t *testing.T) {
	book := glossary.Book{driver.Words(), wiring.Words()}
	for _, word := range wiringWords {
		if _, err := book.Find(word); err != nil {
			t.Error(err)
		}
	}
}
