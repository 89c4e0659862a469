package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"utfbench/internal/printable"
	"utfbench/transport"
)

// Limits of an encoded error, in bytes.
const (
	mostText    = 1000
	mostTrouble = 2500 // in total
)

// sentinels are the errors that keep their identity over the link.
var sentinels = []struct {
	name string
	err  error
}{
	{"unsupported", errors.ErrUnsupported},
	{"closed", transport.ErrClosed},
	{"canceled", context.Canceled},
	{"no bursts", transport.ErrNoBursts},
	{"no linger", transport.ErrLinger},
}

// A said is the encoding of an error.
type said struct {
	Text string              `json:"text"`
	Is   []string            `json:"is,omitempty"`
	Pin  *transport.PinError `json:"pin,omitempty"`
}

// trouble encodes an error, or returns nil for none. It truncates long texts.
func trouble(err error) []byte {
	if err == nil {
		return nil
	}
	s := said{Text: printable.Text(err.Error())}
	if len(s.Text) > mostText {
		s.Text = strings.ToValidUTF8(s.Text[:mostText], "") + " ..."
	}
	for _, known := range sentinels {
		if errors.Is(err, known.err) {
			s.Is = append(s.Is, known.name)
		}
	}
	errors.As(err, &s.Pin)
	text, failed := json.Marshal(s)
	if failed == nil && len(text) <= mostTrouble {
		return text
	}
	text, _ = json.Marshal(said{Text: strings.ToValidUTF8(s.Text[:min(len(s.Text), mostText/6)], "") + " ..."})
	return text
}

// untrouble decodes an error; wrong reports an invalid encoding.
func untrouble(text []byte) (err, wrong error) {
	if len(text) == 0 {
		return nil, nil
	}
	var s said
	if err := printable.Decode(text, &s); err != nil {
		return nil, fmt.Errorf("an error that cannot be read: %w", err)
	}
	if s.Pin != nil {
		return s.Pin, nil
	}
	e := &farError{text: s.Text}
	for _, known := range sentinels {
		for _, name := range s.Is {
			if name == known.name {
				e.is = append(e.is, known.err)
			}
		}
	}
	if len(e.is) == 1 && e.text == e.is[0].Error() {
		return e.is[0], nil
	}
	return e, nil
}

// A farError is an error of the far end.
type farError struct {
	text string
	is   []error
}

func (e *farError) Error() string   { return e.text }
func (e *farError) Unwrap() []error { return e.is }
