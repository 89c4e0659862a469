package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"utfbench/runs/history"
)

// reportPolicy is the policy for a run's report, a separate file that contains styles and no script.
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// long is the time limit for judging a run again, and for a download.
const long = 10 * time.Minute

// An account writes a document about a stored run, from its recording.
type account func(ctx context.Context, w io.Writer, of *history.History, run int) error

// ofRun handles pages about one run.
func (p *Page) ofRun(next func(http.ResponseWriter, *http.Request, *history.History, *history.Run)) http.HandlerFunc {
	return p.past(func(w http.ResponseWriter, r *http.Request, h *history.History) {
		number, err := strconv.Atoi(r.PathValue("run"))
		if err != nil || number < 1 {
			say(w, http.StatusNotFound, "There is no such run", "Runs are numbered from 1.")
			return
		}
		run, err := h.Get(number)
		switch {
		case err != nil:
			say(w, http.StatusInternalServerError, unreadable, err.Error())
			return
		case run == nil:
			say(w, http.StatusNotFound, "There is no such run", "The history has none of this number.")
			return
		}
		next(w, r, h, run)
	})
}

// report serves a run's report, judged again from its recording. Without a recording it shows the history's entry.
func (p *Page) report(w http.ResponseWriter, r *http.Request, h *history.History, run *history.Run) {
	why := "Its recording is gone, so this is all that is known of it."
	if h.Recording(run.Number) != "" {
		var text bytes.Buffer
		err := p.tell(w, r, p.cfg.Report, &text, h, run)
		if err == nil {
			standsAlone(w, reportPolicy)
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = text.WriteTo(w) // an error only means that the client left
			return
		}
		why = "It cannot be judged again here: " + err.Error()
	}
	var outline bytes.Buffer
	if err := h.Outline(&outline, run); err != nil {
		say(w, http.StatusInternalServerError, unreadable, err.Error())
		return
	}
	write(w, http.StatusOK, "outline", struct{ Class, What, Why, Outline string }{classOf(run),
		fmt.Sprintf("run %d: %s", run.Number, run.Verdict()), why, outline.String()})
}

// standsAlone marks a response as a separate document, isolated by its policy instead of the opener policy.
func standsAlone(w http.ResponseWriter, policy string) {
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Del("Cross-Origin-Opener-Policy")
}

// tell writes an account. Runs are judged one at a time, since boards in use need the same processors.
func (p *Page) tell(w http.ResponseWriter, r *http.Request, by account, text io.Writer, h *history.History,
	run *history.Run) error {
	if by == nil {
		return errors.New("this page's server cannot judge")
	}
	takesTime(w)
	ctx, cancel := p.within(r)
	defer cancel()
	select {
	case p.judging <- struct{}{}:
		defer func() { <-p.judging }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return by(ctx, text, h, run.Number)
}

func (p *Page) recording(w http.ResponseWriter, r *http.Request, h *history.History, run *history.Run) {
	f, err := os.Open(h.Recording(run.Number)) // fails if there is no recording
	if err != nil {
		say(w, http.StatusNotFound, "There is no such recording", "It was pruned, or could not be written.")
		return
	}
	defer f.Close()
	download(w, fmt.Sprintf("run-%d.rec", run.Number), "application/octet-stream")
	http.ServeContent(w, r, "", run.Start.Time, f)
}

// bundle serves the files for a bug report of a run.
func (p *Page) bundle(w http.ResponseWriter, r *http.Request, h *history.History, run *history.Run) {
	var zip bytes.Buffer
	if err := p.tell(w, r, p.cfg.Bundle, &zip, h, run); err != nil {
		say(w, http.StatusNotFound, "There is no bundle of it", err.Error())
		return
	}
	download(w, fmt.Sprintf("run-%d.zip", run.Number), "application/zip")
	_, _ = zip.WriteTo(w) // an error only means that the client left
}

// takesTime extends a response's deadline.
func takesTime(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(long))
}

// download begins a response with a file.
func download(w http.ResponseWriter, name, kind string) {
	takesTime(w)
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}
