package server

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"utfbench/internal/files"
	"utfbench/transport/lab"
)

// saveEvery is the longest time for which a change of the hosts' reports is in memory only.
const saveEvery = time.Minute

// A savedSeat is a host's latest report on disk, so that a restarted server lists the boards of absent hosts as gone.
type savedSeat struct {
	Report *lab.Report `json:"report"`
	Heard  time.Time   `json:"heard"`
}

var kindSeats = files.Kind{Name: "the hosts of a lab", Limit: 32 << 20}

func seatsFile(data string) string { return filepath.Join(data, "hosts") }

// saveSeats writes the present hosts to the folder.
func (h *hub) saveSeats() error {
	all := []savedSeat{}
	h.mu.Lock()
	for _, s := range h.seats {
		if !s.left() {
			all = append(all, savedSeat{s.report, s.heard.UTC()})
		}
	}
	h.mu.Unlock()
	return write(seatsFile(h.cfg.Data), all)
}

// loadSeats restores the known hosts with a valid key after a restart. They are silent until they report.
func (h *hub) loadSeats() error {
	text, err := kindSeats.Read(seatsFile(h.cfg.Data))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var all []savedSeat
	if err == nil {
		err = strict(text, &all)
	}
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range all {
		if s.Report != nil && h.public[s.Report.Host] != "" {
			h.seats[s.Report.Host] = &seat{report: s.Report, heard: s.Heard, silent: true}
		}
	}
	return nil
}
