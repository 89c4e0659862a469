package explain

import (
	"testing"

	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/internal/cli"
)

// Each result word of a wiring check has an explanation.
func TestWordsOfWires(t *testing.T) {
	book := cli.NewBook(driver.Words, wiring.Words)
	for _, word := range wiringWords {
		if _, err := book.Find(word); err != nil {
			t.Error(err)
		}
	}
}
