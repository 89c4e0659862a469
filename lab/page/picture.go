package page

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"

	"utfbench/runs/waveform"
	"utfbench/transport/lab"
)

// picturePolicy is the policy for a picture, a separate file that contains styles.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// pictureLasts is the time in seconds that a browser may cache a picture. Each failure has its own address.
const pictureLasts = 600

// pictureID returns a unique name for the first failure of a board's run, or "" without a picture.
func pictureID(b *lab.Board) string {
	p := b.Progress
	if p == nil || p.Run == nil || !p.Run.Drawn {
		return ""
	}
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s\n%s", b, p.Run.First) // a hash accepts everything
	if b.Holder != nil {
		_, _ = fmt.Fprintf(h, "\n%s", b.Holder.Since)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// pictureOf returns the address of the picture of a board's first failure, or "".
func pictureOf(b *lab.Board) string {
	of := pictureID(b)
	if of == "" {
		return ""
	}
	return "/failure?" + url.Values{"board": {b.String()}, "of": {of}}.Encode()
}

// picture serves the waveform around a running board's first failure. It is drawn here from levels and words.
func (p *Page) picture(w http.ResponseWriter, r *http.Request, _ *pass) {
	list := p.lab.Boards()
	b, err := list.Find(r.URL.Query().Get("board"))
	if err == nil && (pictureID(b) == "" || pictureID(b) != r.URL.Query().Get("of")) {
		err = fmt.Errorf("%s: that failure belongs to an earlier run", b)
	}
	var svg bytes.Buffer
	if err == nil {
		err = p.draw(r, b, &svg)
	}
	if err != nil {
		say(w, http.StatusNotFound, "There is no such picture", err.Error())
		return
	}
	standsAlone(w, picturePolicy)
	w.Header().Set("Cache-Control", fmt.Sprintf("private, max-age=%d", pictureLasts))
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = svg.WriteTo(w) // an error only means that the client left
}

func (p *Page) draw(r *http.Request, b *lab.Board, svg *bytes.Buffer) error {
	text, err := p.lab.Around(r.Context(), b)
	if err != nil {
		return err
	}
	e, err := waveform.Unpack(text)
	if err != nil {
		return fmt.Errorf("%s: its holder's bench says %w", b, err)
	}
	return waveform.SVG(svg, e)
}
