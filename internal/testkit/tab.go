package testkit

import (
	"encoding/json"
	"os"
	"sync"
	"testing"
	"time"
)

// A Tab is a page with its own cookies, as in another user's browser.
type Tab struct {
	browser *Browser
	session string
	target  string
	context string // browser context with its cookies

	mu   sync.Mutex
	said []string
}

// Tab opens an empty tab, which is closed with the browser.
func (b *Browser) Tab(t testing.TB) *Tab {
	t.Helper()
	var context struct {
		ID string `json:"browserContextId"`
	}
	b.must(t, "", "Target.createBrowserContext", nil, &context)
	var target struct {
		ID string `json:"targetId"`
	}
	b.must(t, "", "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": context.ID}, &target)
	var session struct {
		ID string `json:"sessionId"`
	}
	b.must(t, "", "Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &session)
	tab := &Tab{browser: b, session: session.ID, target: target.ID, context: context.ID}
	b.mu.Lock()
	b.tabs[session.ID] = tab
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		tab.do(t, domain+".enable", nil, nil)
	}
	return tab
}

// must sends a request and decodes the response. It ends the test on an error.
func (b *Browser) must(t testing.TB, session, method string, params, answer any) {
	t.Helper()
	text, err := b.ask(session, method, params)
	if err == nil && answer != nil {
		err = json.Unmarshal(text, answer)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (tab *Tab) do(t testing.TB, method string, params, answer any) {
	t.Helper()
	tab.browser.must(t, tab.session, method, params, answer)
}

// heard records an event: a script error, a policy violation or console output.
func (tab *Tab) heard(m *browserMessage) {
	switch m.Method {
	case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
		tab.mu.Lock()
		defer tab.mu.Unlock()
		tab.said = append(tab.said, string(m.Params))
	}
}

// ConsoleOutput returns the console output as JSON.
func (tab *Tab) ConsoleOutput() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return append([]string(nil), tab.said...)
}

// Open loads an address and waits until it is loaded.
func (tab *Tab) Open(t testing.TB, url string) {
	t.Helper()
	var went struct {
		Error string `json:"errorText"`
	}
	tab.do(t, "Page.navigate", map[string]any{"url": url}, &went)
	if went.Error != "" {
		t.Fatal(url, ": ", went.Error)
	}
	tab.Wait(t, `document.readyState === "complete" && location.href !== "about:blank"`)
}

// AddInitScript registers a script that runs in each page before the page's own scripts.
func (tab *Tab) AddInitScript(t testing.TB, script string) {
	t.Helper()
	tab.do(t, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": script}, nil)
}

// Press presses and releases a key, such as Tab, Enter or a letter.
func (tab *Tab) Press(t testing.TB, key string) {
	t.Helper()
	press := map[string]any{"type": "keyDown", "key": key, "code": key}
	if text, code := keys[key].text, keys[key].code; code != 0 {
		press["windowsVirtualKeyCode"], press["text"] = code, text
	} else {
		press["text"] = key
	}
	tab.do(t, "Input.dispatchKeyEvent", press, nil)
	tab.do(t, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key,
		"windowsVirtualKeyCode": keys[key].code}, nil)
}

// Kill closes the tab without unload events. The tab cannot be used afterwards.
func (tab *Tab) Kill(t testing.TB) {
	t.Helper()
	tab.browser.must(t, "", "Target.closeTarget", map[string]any{"targetId": tab.target}, nil)
}

// keys maps the names of keys other than letters to their text and virtual code.
var keys = map[string]struct {
	text string
	code int
}{"Tab": {"", 9}, "Enter": {"\r", 13}, " ": {" ", 32}, "ArrowDown": {"", 40}}

// SetDownloadFolder sets the folder for files that the tab saves.
func (tab *Tab) SetDownloadFolder(t testing.TB, folder string) {
	t.Helper()
	tab.browser.must(t, "", "Browser.setDownloadBehavior", map[string]any{"behavior": "allow",
		"browserContextId": tab.context, "downloadPath": folder}, nil)
}

// Eval returns the value of a JavaScript expression as JSON. An exception is returned as a *ScriptError.
func (tab *Tab) Eval(expression string) (string, error) {
	text, err := tab.browser.ask(tab.session, "Runtime.evaluate", map[string]any{"expression": expression,
		"returnByValue": true, "awaitPromise": true})
	if err != nil {
		return "", err
	}
	var r struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return "", err
	}
	if r.Exception != nil {
		return "", &ScriptError{string(r.Exception)}
	}
	return string(r.Result.Value), nil
}

// A ScriptError is an exception of a script, as JSON.
type ScriptError struct{ Details string }

func (e *ScriptError) Error() string { return e.Details }

// Wait waits until an expression is true. It tolerates a navigation, during which no page can evaluate the expression.
func (tab *Tab) Wait(t testing.TB, expression string) {
	t.Helper()
	said, err := "", error(nil)
	for end := time.Now().Add(browserPatience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if said, err = tab.Eval(expression); said == "true" {
			return
		}
	}
	text, _ := tab.Eval(`document.body.innerText`)
	t.Fatalf("%s is %s, %v, for %s; the page says %s", expression, said, err, browserPatience, text)
}

// SetScreen sets the page's size in pixels, and turns dark mode on or off.
func (tab *Tab) SetScreen(t testing.TB, width, height int, dark bool) {
	t.Helper()
	tab.do(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height,
		"deviceScaleFactor": 1, "mobile": false}, nil)
	scheme := map[bool]string{false: "light", true: "dark"}[dark]
	tab.do(t, "Emulation.setEmulatedMedia", map[string]any{
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Screenshot writes a screenshot of the whole page as PNG.
func (tab *Tab) Screenshot(t testing.TB, path string) {
	t.Helper()
	var shot struct {
		Data []byte `json:"data"`
	}
	tab.do(t, "Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &shot)
	if err := os.WriteFile(path, shot.Data, 0o644); err != nil {
		t.Fatal(err)
	}
}
