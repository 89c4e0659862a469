package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
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

// takeText reads the text in a block with this payload size, whose name a NUL ends.
func (r *Recording) takeText(block io.Reader, n int) error {
	if err := r.hold(n); err != nil {
		return err
	}
	if _, err := io.CopyN(io.Discard, block, blockHead); err != nil {
		return err
	}
	var all strings.Builder
	all.Grow(n)
	if _, err := io.CopyN(&all, block, int64(n)); err != nil {
		return err
	}
	file, text, _ := strings.Cut(all.String(), "\x00")
	if text == "" {
		return errors.New("a suite in it is no file name and text")
	}
	r.Texts = append(r.Texts, SuiteText{printable.Text(file), text})
	return nil
}
