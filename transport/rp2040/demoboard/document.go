package demoboard

import (
	"io"

	"utfbench/internal/document"
)

// An infoDocument is the JSON form of Info; docs/formats.md describes it.
type infoDocument struct {
	document.Head
	Port      string   `json:"port"`
	Machine   string   `json:"machine"`
	ID        string   `json:"id"`
	Clock     int      `json:"clock_hz"`
	Celsius   *float64 `json:"celsius"`
	Firmware  string   `json:"micropython"`
	Free      int      `json:"free_bytes"`
	Board     *string  `json:"board"` // null if unknown
	Installed bool     `json:"sdk_installed"`
	SDK       *sdkPart `json:"sdk"` // null if it has not started
}

type sdkPart struct {
	Version string `json:"version"`
	Carrier string `json:"carrier"`
	Shuttle string `json:"shuttle"`
	Repo    string `json:"repo"`
	Commit  string `json:"commit"`
	ROM     bool   `json:"rom_read"` // shuttle, repository and commit are the ROM's
	Design  string `json:"design"`   // the selected one, or empty
	Number  int    `json:"number"`
	Clock   int    `json:"clock_hz"` // the project's clock
}

// JSON writes Info as a document, with the bench's version.
func (b *Board) JSON(w io.Writer, bench string) error {
	f := b.Facts
	d := infoDocument{Head: document.NewHead(bench), Port: b.Port, Machine: f.Machine, ID: f.ID, Clock: f.Hertz,
		Firmware: f.Firmware, Free: f.Free, Installed: f.Installed}
	if celsius, known := f.Temperature(); known {
		d.Celsius = &celsius
	}
	if of, err := b.Detect(); err == nil {
		d.Board = &of.Name
	}
	if s := f.SDK; s != nil {
		d.SDK = &sdkPart{s.Version, s.Carrier, s.Shuttle, s.Repo, s.Commit, s.Read, s.Design, s.Number, s.Clock}
	}
	return document.Write(w, d)
}
