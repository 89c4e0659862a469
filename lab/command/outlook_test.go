package command

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"utfbench/lab/page"
	"utfbench/transport/lab"
)

// A webhook receives the standing of a board, and the text for chat programs.
func TestCall(t *testing.T) {
	var said map[string]any
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(text, &said); err != nil {
			t.Error(err)
		}
		w.WriteHeader(map[string]int{"/": 204}[r.URL.Path] + map[string]int{"/no": 403}[r.URL.Path])
	}))
	defer s.Close()
	bad := &page.Standing{Board: "pi1/stuck", Last: lab.Last{Verdict: "FAIL", Run: 7, Cause: "s/a: step 1",
		Ended: time.Unix(9, 0)}}
	if err := call(t.Context(), s.URL+"/", bad); err != nil || said["board"] != "pi1/stuck" ||
		said["text"] != "pi1/stuck is FAIL (run 7): s/a: step 1" || said["ended"] != "1970-01-01T00:00:09Z" {
		t.Error(said, err)
	}
	if err := call(t.Context(), s.URL+"/no", bad); err == nil || !strings.Contains(err.Error(), "403") {
		t.Error(err)
	}
	if err := (&outlook{webhook: "ftp://x"}).check(); err == nil {
		t.Error("ftp is no webhook")
	}
}
