package past

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"

	"utfbench/internal/printable"
	"utfbench/runs/history"
	"utfbench/runs/measurement"
	"utfbench/transport/lab"
)

// HandInMeasurement hands in the document of a measurement. It gives its number in the lab's history, and whether the
// lab had it before.
func (l *Lab) HandInMeasurement(document []byte) (number int, had bool, err error) {
	return l.conn.HandIn(l.ctx, lab.Offer{Bench: l.bench, SHA256: sha256Of(document), Recording: int64(len(document)),
		Measured: true}, bytes.NewReader(document))
}

func sha256Of(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Measurements gives measurements of the lab's history, the latest first; a filter's Skip is not for a lab.
func (l *Lab) Measurements(f history.MeasurementFilter) iter.Seq2[*history.Measurement, error] {
	return func(yield func(*history.Measurement, error) bool) {
		q := lab.MeasurementQuery{Bench: l.bench, Kind: f.Kind, Transport: f.Transport, Words: f.Words,
			Number: f.Number, Before: f.Before, Last: f.Last}
		for {
			list, err := l.conn.Measurements(l.ctx, q)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, text := range list.Measurements {
				m := new(history.Measurement)
				if err := printable.Decode(text, m); err != nil {
					yield(nil, err)
					return
				}
				if !yield(m, nil) {
					return
				}
				q.Before = m.Number
			}
			n := len(list.Measurements)
			if q.Last -= n; !list.More || n == 0 || f.Last > 0 && q.Last <= 0 {
				return
			}
			q.Last = max(q.Last, 0)
		}
	}
}

// mostDocument is more than any document has, in bytes: a lab that says more is not believed.
const mostDocument = 64 << 20

// A MissingError says that a lab has no such document.
type MissingError struct{ why string }

func (e *MissingError) Error() string { return e.why }

// Document fetches a measurement's document from the lab's history, or returns a MissingError.
func (l *Lab) Document(number int) ([]byte, error) {
	var m *history.Measurement
	for one, err := range l.Measurements(history.MeasurementFilter{Number: number, Last: 1}) {
		if err != nil {
			return nil, err
		}
		m = one
	}
	switch {
	case m == nil:
		return nil, &MissingError{fmt.Sprintf("the lab's history has no measurement %d: bench lab measurements lists "+
			"them", number)}
	case m.Bytes == 0:
		return nil, &MissingError{fmt.Sprintf("the document of measurement %d of the lab is gone: it made room for "+
			"later ones", number)}
	case m.Bytes < 0 || m.Bytes > mostDocument:
		return nil, fmt.Errorf("the lab says that measurement %d has %d bytes", number, m.Bytes)
	}
	var to bytes.Buffer
	if err := l.conn.ReadDocument(l.ctx, number, m.Bytes, &to); err != nil {
		return nil, err
	}
	if sha256Of(to.Bytes()) != m.SHA256 {
		return nil, fmt.Errorf("measurement %d that the lab sends is not the one that was handed in: its SHA-256 is "+
			"another", number)
	}
	if _, err := measurement.Read(to.Bytes()); err != nil {
		return nil, fmt.Errorf("measurement %d of the lab: %w", number, err)
	}
	return to.Bytes(), nil
}
