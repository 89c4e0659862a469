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

// picturePolicy is for a picture that is a file of its own: it has a style in itself, and nothing else.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// pictureLasts is for how many seconds a browser may show a picture again. Its address is another for another failure.
const pictureLasts = 600

// failure names the first failure of a run at a board, among all others; "" where there is no picture of it.
func failure(b *lab.Board) string {
	p := b.Progress
	if p == nil || p.Run == nil || !p.Run.Drawn {
		return ""
	}
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s\n%s", b, p.Run.First) // which takes everything
	if b.Holder != nil {
		_, _ = fmt.Fprintf(h, "\n%s", b.Holder.Since)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// pictureOf returns the address of the picture of a board's first failure, or "".
func pictureOf(b *lab.Board) string {
	of := failure(b)
	if of == "" {
		return ""
	}
	return "/failure?" + url.Values{"board": {b.String()}, "of": {of}}.Encode()
}

// picture serves the waveform around a running board's first failure. It is drawn here, from levels and words.
func (p *Page) picture(w http.ResponseWriter, r *http.Request, _ *pass) {
	list := p.lab.Boards()
	b, err := list.Find(r.URL.Query().Get("board"))
	if err == nil && (failure(b) == "" || failure(b) != r.URL.Query().Get("of")) {
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
	serveSVG(w, &svg, pictureLasts)
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

// serveSVG serves a picture that a browser may cache for some seconds.
func serveSVG(w http.ResponseWriter, svg *bytes.Buffer, lasts int) {
	standsAlone(w, picturePolicy)
	h := w.Header()
	if lasts > 0 {
		h.Set("Cache-Control", fmt.Sprintf("private, max-age=%d", lasts))
	}
	h.Set("Content-Type", "image/svg+xml")
	_, _ = svg.WriteTo(w) // who does not read it does not need it
}
