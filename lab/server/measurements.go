package server

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"utfbench/runs/history"
	"utfbench/runs/measurement"
	"utfbench/transport/lab"
)

// measurementRoom is how many bytes the documents of all measurements have together; they are in no quota.
const measurementRoom = 256 << 20

// enterMeasurement enters a measurement that was handed in. Its document is foreign: it is read whole before, and what
// is shown of it are the values that were read.
func (p *past) enterMeasurement(in *incoming) error {
	text, err := os.ReadFile(in.path)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != in.offer.SHA256 {
		return errors.New("the measurement that came is not the one that was offered: its SHA-256 is another")
	}
	m, err := measurement.Read(text)
	if err != nil {
		return unfitf("the upload is no measurement: %w", err)
	}
	give := &history.Measurement{About: m.About, By: in.key, SHA256: in.offer.SHA256}
	number, had, err := p.write(func(h *history.History) (int, bool, error) {
		return h.TakeMeasurement(give, text, measurementRoom)
	})
	if err != nil || had {
		return err
	}
	p.tell(about(m.Transport, in.key, fmt.Sprintf("measurement %d: %s", number, m.Kind)))
	return nil
}

// measurements gives measurements, as many as go into an answer.
func (p *past) measurements(key string, text []byte) (*lab.MeasurementList, error) {
	var q lab.MeasurementQuery
	if err := json.Unmarshal(text, &q); err != nil {
		return nil, errors.New("the question for measurements cannot be read")
	}
	if err := lab.CheckProtocol("the machine with the key "+key, q.Protocol, short(q.Bench, maxWord)); err != nil {
		return nil, err
	}
	h, err := p.history()
	if err != nil {
		return nil, err
	}
	most := maxRunsAnswer
	if q.Last > 0 {
		most = min(most, q.Last)
	}
	all, more, err := lines(h.Measurements(history.MeasurementFilter{Kind: q.Kind, Transport: q.Transport,
		Words: short(q.Words, maxWords), Number: q.Number, Before: q.Before, Last: most + 1}), most)
	return &lab.MeasurementList{Measurements: all, More: more}, err
}

// document gives a part of a measurement's document.
func (p *past) document(measurement, from string) ([]byte, error) {
	number, at, ok := partOf(measurement, from)
	if !ok {
		return nil, errors.New("the question for a measurement cannot be read")
	}
	h, err := p.history()
	if err != nil {
		return nil, err
	}
	part, err := h.Document(number, at, lab.PartSize)
	if err == nil && len(part) == 0 {
		err = fmt.Errorf("of measurement %d there is nothing from byte %d on", number, at)
	}
	return part, err
}
