package page

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"strconv"
	"strings"

	"utfbench/runs/history"
	"utfbench/runs/measurement"
	run "utfbench/runs/page"
)

// A measurementRow is a measurement in words.
type measurementRow struct {
	Number                                    int
	Made, Board, At, What, Kind, Words, Asker string // At is how the board was asked besides
	Kept                                      bool   // its document is there
}

// measurements answers by the measurements that fit, the latest first.
func (p *Page) measurements(w http.ResponseWriter, r *http.Request, h *history.History) {
	l := listingOf(r.URL.Query())
	l.Title, l.Zone, l.Beside = p.cfg.Title, zone(), l.at("/runs", 1)
	for m, err := range h.Measurements(history.MeasurementFilter{Transport: p.transport(l.Board), Words: l.Words,
		Last: perPage + 1, Skip: (l.Page - 1) * perPage}) {
		if err != nil {
			say(w, http.StatusInternalServerError, unreadable, err.Error())
			return
		}
		if len(l.Measured) == perPage {
			l.Older = l.at("/measurements", l.Page+1)
			break
		}
		l.Measured = append(l.Measured, measurementRowOf(m))
	}
	if l.Page > 1 {
		l.Newer = l.at("/measurements", l.Page-1)
	}
	write(w, http.StatusOK, "measurements", l)
}

func measurementRowOf(m *history.Measurement) measurementRow {
	row := measurementRow{Number: m.Number, Kind: m.Kind, Words: m.Words, Asker: m.By, Kept: m.Bytes > 0}
	if !m.Made.IsZero() {
		row.Made = clock(m.Made)
	}
	row.Board, row.At = boardOf(m.Transport)
	row.What = listed(strings.TrimSpace(m.Board+" "+m.Device), m.Tile, m.Revision, m.Tags.String())
	return row
}

// ofMeasurement handles requests for a measurement with a stored document.
func (p *Page) ofMeasurement(next func(http.ResponseWriter, *http.Request, *history.Measurement,
	[]byte)) http.HandlerFunc {
	return p.past(func(w http.ResponseWriter, r *http.Request, h *history.History) {
		number, err := strconv.Atoi(r.PathValue("number"))
		if err != nil || number < 1 {
			say(w, http.StatusNotFound, "There is no such measurement", "Measurements are numbered from 1.")
			return
		}
		m, document, err := measured(h, number)
		switch {
		case err != nil:
			say(w, http.StatusInternalServerError, unreadable, err.Error())
		case m == nil:
			say(w, http.StatusNotFound, "There is no such measurement", "The history has none of this number.")
		case len(document) == 0:
			say(w, http.StatusNotFound, "There is no such document", "It made room for later ones: "+m.Words+".")
		default:
			next(w, r, m, document)
		}
	})
}

// measured returns a measurement of a history and its document, or nil.
func measured(h *history.History, number int) (m *history.Measurement, document []byte, err error) {
	if m, err = h.Measurement(number); m == nil || err != nil {
		return nil, nil, err
	}
	document, err = h.Document(number, 0, math.MaxInt32)
	return m, document, err
}

// measurement serves a measurement as in a report, in a document of its own.
func (p *Page) measurement(w http.ResponseWriter, _ *http.Request, m *history.Measurement, document []byte) {
	var text bytes.Buffer
	read, err := measurement.Read(document)
	if err == nil {
		board, _ := boardOf(m.Transport)
		err = run.Measurement(&text, read, fmt.Sprintf("measurement %d: %s of %s", m.Number, m.Kind, board), m.By)
	}
	if err != nil {
		say(w, http.StatusInternalServerError, "It cannot be shown", err.Error())
		return
	}
	standsAlone(w, reportPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = text.WriteTo(w) // who does not read it does not need it
}

// measurementPicture serves only the picture of a shmoo.
func (p *Page) measurementPicture(w http.ResponseWriter, _ *http.Request, _ *history.Measurement, document []byte) {
	var svg bytes.Buffer
	read, err := measurement.Read(document)
	if err == nil && read.Shmoo == nil {
		say(w, http.StatusNotFound, "There is no such picture", "It is a timing, and that is shown by its number.")
		return
	}
	if err == nil {
		err = read.Shmoo.SVG(&svg)
	}
	if err != nil {
		say(w, http.StatusInternalServerError, "It cannot be drawn", err.Error())
		return
	}
	serveSVG(w, &svg, pictureLasts)
}

// document answers by the document as it was handed in.
func (p *Page) document(w http.ResponseWriter, _ *http.Request, m *history.Measurement, document []byte) {
	download(w, fmt.Sprintf("%s-%d.json", m.Kind, m.Number), "application/json")
	_, _ = w.Write(document) // as above
}

// A lastMeasured is the last measurement of a kind on a board, as a part of another page.
type lastMeasured struct {
	measurementRow
	Picture string        // the address of a shmoo's
	Timing  template.HTML // a timing
}

// measure looks up a listing's board's last shmoo and timing.
func (l *listing) measure(p *Page, h *history.History) error {
	if l.Board == "" || l.Page > 1 {
		return nil
	}
	for _, kind := range []string{measurement.Shmoo, measurement.Timing} {
		m, err := h.LastMeasurement(history.MeasurementFilter{Kind: kind, Transport: p.transport(l.Board)})
		if err != nil {
			return err
		}
		if m == nil {
			continue
		}
		last, err := lastOf(h, m)
		if err != nil {
			return err
		}
		l.Last = append(l.Last, last)
	}
	return nil
}

// lastOf returns a measurement as a part of a page; without a picture if its document is gone.
func lastOf(h *history.History, m *history.Measurement) (last lastMeasured, err error) {
	last.measurementRow = measurementRowOf(m)
	switch {
	case m.Bytes == 0:
	case m.Kind == measurement.Shmoo:
		last.Picture = fmt.Sprintf("/measurements/%d/picture", m.Number)
	default:
		_, document, err := measured(h, m.Number)
		if err != nil {
			return last, err
		}
		read, err := measurement.Read(document)
		if err != nil || read.Timing == nil {
			return last, err
		}
		last.Timing, err = run.Timing(read.Timing)
		return last, err
	}
	return last, nil
}
