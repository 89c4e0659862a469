package page

import (
	"html/template"
	"io"
	"strings"
	"time"

	"utfbench/cause/timing"
	"utfbench/runs/measurement"
)

// Measurement writes a measurement as one HTML file, with the picture of a report. A title names it; by is the key that
// handed it in, or "".
func Measurement(w io.Writer, m *measurement.Measurement, title, by string) error {
	picture, err := svgOf(m.Shmoo)
	if err != nil {
		return err
	}
	made := ""
	if !m.Made.IsZero() {
		made = m.Made.UTC().Format(time.RFC3339)
	}
	facts := known([]fact{{"tile", m.Tile}, {"asked", m.Transport}, {"board", m.Board}, {"board's id", m.Device},
		{"compared with", m.Revision}, {"measured", made}, {"tags", m.Tags.String()}, {"bench", m.Bench},
		{"handed in by", by}})
	return page.ExecuteTemplate(w, "measurement", map[string]any{"Title": title, "Words": m.Words, "Facts": facts,
		"Shmoo": picture, "Timing": m.Timing})
}

// Timing returns a timing as a part of a page with the Style of this package.
func Timing(r *timing.Report) (template.HTML, error) {
	var b strings.Builder
	err := page.ExecuteTemplate(&b, "timing", r)
	return template.HTML(b.String()), err // of our own making, all text in it is escaped
}
