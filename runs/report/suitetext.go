package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"

	"utfbench/golden"
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

var errText = errors.New("a suite in it is no file name and text")

// readText decodes the payload of a text block, a JSON array of two strings with a total of at most limit bytes. It
// decodes a stream, since JSON may encode a byte as six.
func readText(from io.Reader, size, limit int) (t SuiteText, err error) {
	r := textReader{from: bufio.NewReaderSize(from, 64<<10), left: limit}
	r.expect('[')
	t.File = r.text(0)
	r.expect(',')
	t.Text = r.text(min(size, limit))
	r.expect(']')
	if _, err := r.from.ReadByte(); r.err == nil && !errors.Is(err, io.EOF) {
		r.err = errText
	}
	return t, r.err
}

// A textReader reads strings from JSON until an error.
type textReader struct {
	from *bufio.Reader
	left int // bytes that texts may still have
	err  error
}

// byte returns the next byte, or 0 after an error.
func (r *textReader) byte() byte {
	if r.err != nil {
		return 0
	}
	b, err := r.from.ReadByte()
	switch {
	case errors.Is(err, io.EOF):
		r.err = errText
	case err != nil:
		r.err = err
	}
	return b
}

func (r *textReader) expect(want byte) {
	if b := r.byte(); r.err == nil && b != want {
		r.err = errText
	}
}

// text reads a string; size is a guess of its length.
func (r *textReader) text(size int) string {
	var all strings.Builder
	all.Grow(size)
	for r.expect('"'); r.err == nil; {
		switch b := r.byte(); {
		case r.err != nil:
		case b == '"':
			r.left -= all.Len()
			return all.String()
		case b < ' ':
			r.err = errText
		case b == '\\':
			all.WriteRune(r.escaped())
		default:
			all.WriteByte(b)
		}
		if all.Len() > r.left {
			r.err = fmt.Errorf("its suites have more than %d bytes", golden.MostText)
		}
	}
	return ""
}

// escaped returns the character of an escape.
func (r *textReader) escaped() rune {
	const letters, means = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	b := r.byte()
	if i := strings.IndexByte(letters, b); i >= 0 {
		return rune(means[i])
	}
	if b != 'u' {
		r.err = cmp.Or(r.err, errText)
		return utf8.RuneError
	}
	first := r.hex()
	if !utf16.IsSurrogate(first) {
		return first
	}
	r.expect('\\') // encoding/json writes no unpaired surrogate
	r.expect('u')
	return utf16.DecodeRune(first, r.hex())
}

func (r *textReader) hex() rune {
	var digits [4]byte
	for i := range digits {
		digits[i] = r.byte()
	}
	n, err := strconv.ParseUint(string(digits[:]), 16, 16)
	if err != nil && r.err == nil {
		r.err = errText
	}
	return rune(n)
}
