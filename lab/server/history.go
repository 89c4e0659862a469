package server

import (
	"path/filepath"

	"utfbench/runs/history"
)

// HistoryFile is the history of a lab: what became of the runs on its boards.
func HistoryFile(data string) string { return filepath.Join(data, "history.db") }

// remember opens the history.
func (s *Server) remember() (err error) {
	if s.history, err = history.Open(HistoryFile(s.cfg.Data)); err != nil {
		return fault("%w", err)
	}
	return nil
}

// History is that of the lab, until Close.
func (s *Server) History() *history.History { return s.history }
