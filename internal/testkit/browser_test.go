package testkit

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A Tab gives a test access to a page's contents and console output, and has its own cookies.
func TestTab(t *testing.T) {
	b := StartBrowser(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "script-src 'none'")
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
		_, err := r.Cookie("seen")
		w.Write([]byte(map[bool]string{true: "<p>again</p>", false: "<p>new</p><script>1</script>"}[err == nil]))
	}))
	defer s.Close()
	one, two := b.Tab(t), b.Tab(t)
	one.Open(t, s.URL)
	one.Wait(t, `document.querySelector("p").textContent === "new"`)
	one.Wait(t, `matchMedia("(prefers-color-scheme: light)").matches`)
	one.SetScreen(t, 400, 800, true)
	one.Wait(t, `innerWidth === 400 && matchMedia("(prefers-color-scheme: dark)").matches`)
	two.Open(t, s.URL)
	two.Wait(t, `document.querySelector("p").textContent === "new"`)
	two.Open(t, s.URL+"/more")
	two.Wait(t, `document.querySelector("p").textContent === "again"`)
	if said := strings.Join(one.ConsoleOutput(), "\n"); !strings.Contains(said, "Content Security Policy") {
		t.Errorf("a script was forbidden, and the console says %q", said)
	}
	if _, err := one.Eval("nothing.there"); err == nil {
		t.Error("an exception is no error")
	}
}
