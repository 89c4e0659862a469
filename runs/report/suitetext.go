package report

import (
	"bytes"
	"errors"
	"fmt"
	"sync/atomic"

	"utfbench/golden"
	"utfbench/internal/printable"
)

// heldText is the size of all texts in open recordings: a command's recordings share the limit for files.
var heldText atomic.Int64

// hold reserves room for more text.
func (r *Recording) hold(bytes int) error {
	if r.text+bytes > golden.MostText {
		return fmt.Errorf("its suites have more than %d bytes", golden.MostText)
	}
	if heldText.Add(int64(bytes)) > golden.MostText {
		heldText.Add(-int64(bytes))
		return fmt.Errorf("its suites, and those of the recordings that are open with it, have more than %d bytes",
			golden.MostText)
	}
	r.text += bytes
	return nil
}

// release frees the room.
func (r *Recording) release() {
	heldText.Add(-int64(r.text))
	r.text = 0
}

// addText adds a suite from the payload of its block.
func (r *Recording) addText(payload []byte) error {
	file, text, is := bytes.Cut(payload, []byte{0})
	if !is || len(text) == 0 {
		return errors.New("a suite in it is no file name and text")
	}
	r.SuiteTexts = append(r.SuiteTexts, SuiteText{printable.Text(string(file)), string(text)})
	return nil
}
