package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/lab/page"
)

// An outlook is a lab's interface to other programs: its metrics, and a webhook for boards that turn bad.
type outlook struct{ metrics, webhook string }

func (o *outlook) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.metrics, "metrics", "", "`HOST:PORT` that serves /metrics to Prometheus, without a "+
		"token and by plain HTTP (default: none)")
	cmd.Flags().StringVar(&o.webhook, "webhook", "", "`URL` to which JSON is posted when the last verdict of a board "+
		"turns bad")
}

// begin starts both and returns a function that stops them. Failures are passed to tell.
func (o *outlook) begin(standings *page.Standings, tell func(string)) (end func(), err error) {
	ctx, cancel := context.WithCancel(context.Background())
	var all failure.Group
	server := &http.Server{ReadHeaderTimeout: webhookPatience, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/metrics" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
			if err := standings.Metrics(w); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})}
	end = func() { cancel(); _ = server.Close(); all.Wait() } // errors no longer matter
	if o.metrics != "" {
		l, err := net.Listen("tcp", o.metrics)
		if err != nil {
			cancel()
			return nil, fmt.Errorf("--metrics: %w", err)
		}
		tell(fmt.Sprintf("metrics for Prometheus at http://%s/metrics", l.Addr()))
		all.Go(func() { _ = server.Serve(l) }) // until end
	}
	if o.webhook != "" {
		all.Go(func() {
			standings.Turned(ctx.Done(), func(s *page.Standing) {
				if err := call(ctx, o.webhook, s); err != nil && ctx.Err() == nil {
					tell(fmt.Sprintf("the webhook call for %s failed: %v", s.Board, err))
				}
			})
		})
	}
	return end, nil
}

func (o *outlook) check() error {
	if at, err := url.Parse(o.webhook); o.webhook != "" && (err != nil || at.Host == "" ||
		at.Scheme != "http" && at.Scheme != "https") {
		return failure.Usagef("--webhook %q: has to be a URL with http or https", o.webhook)
	}
	return nil
}

const webhookPatience = 10 * time.Second

// call posts a board's standing. text is the part that chat programs display.
func call(ctx context.Context, at string, s *page.Standing) error {
	ctx, cancel := context.WithTimeout(ctx, webhookPatience)
	defer cancel()
	body, err := json.Marshal(map[string]any{"board": s.Board, "verdict": s.Verdict, "run": s.Run, "cause": s.Cause,
		"ended": s.Ended.UTC(), "text": fmt.Sprintf("%s is %s (run %d): %s", s.Board, s.Verdict, s.Run,
			cmp.Or(s.Cause, "no cause is known"))})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("it answers %s", answer.Status)
	}
	return nil
}
