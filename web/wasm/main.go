//go:build js

// Wasm is the bench in a browser's worker: a web.Session controlled by messages. web/page/worker.js starts it.
//
// The page sends {do: "run", order: JSON}, {do: "pack", name, bytes}, {do: "stop"}, and about its serial port {do:
// "bytes", bytes}, {do: "answer", id, error} and {do: "gone", error}. The worker sends {kind: "ready", version, suites,
// faults}, {kind: "event", event: JSON, files: [{name, type, data}]}, and {kind: "serial", id, act: "open", "write" or
// "close", bytes}, which the page answers.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/web"
)

// The linker sets release and commit for a release.
var release, commit = "", ""

// A worker runs one order at a time.
type worker struct {
	session web.Session
	port    *port
	stop    context.CancelFunc // ends the run in progress; or nil
}

func main() {
	version := files.Build{Release: release, Commit: commit}.Version()
	w := &worker{port: newPort()}
	w.session = web.Session{Version: version, Send: tell, Pause: pause, OpenSerial: w.port.open}
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.take(args[0].Get("data"))
		return nil
	}))
	post(map[string]any{"kind": "ready", "version": version, "suites": suites(),
		"faults": tile.RegisterBits(utf.TT09).Syntax()})
	select {}
}

func suites() (names []any) {
	all, err := tile.Suites(utf.TT09)
	if err != nil {
		panic(err) // a bug, since the vectors are embedded
	}
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names
}

// take handles a message from the page. It must not block, since nothing else can run meanwhile.
func (w *worker) take(m js.Value) {
	switch m.Get("do").String() {
	case "run":
		w.run(m.Get("order").String())
	case "pack":
		text := make([]byte, m.Get("bytes").Get("length").Int())
		js.CopyBytesToGo(text, m.Get("bytes"))
		w.session.LoadPack(m.Get("name").String(), text)
	case "stop":
		if w.stop != nil {
			w.stop()
		}
	case "bytes":
		w.port.bytes(m.Get("bytes"))
	case "answer":
		w.port.answer(m.Get("id").Int(), m.Get("error"))
	case "gone":
		w.port.gone(m.Get("error").String())
	}
}

func (w *worker) run(text string) {
	if w.stop != nil {
		return // the page disables its button during a run
	}
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	failure.Go(func() {
		defer func() { stop(); w.stop = nil }()
		o, err := web.ReadOrder([]byte(text))
		if err != nil {
			tell(web.Event{Kind: "error", Value: &web.ErrorEvent{Text: err.Error(), Kind: "user"}})
			return
		}
		w.session.Run(ctx, o)
	})
}

func tell(e web.Event) {
	text, err := json.Marshal(map[string]any{"kind": e.Kind, "value": e.Value})
	if err != nil {
		panic(err) // a bug, since all values can be encoded
	}
	var files []any
	for _, f := range e.Files {
		files = append(files, map[string]any{"name": f.Name, "type": f.Type, "data": array(f.Data)})
	}
	post(map[string]any{"kind": "event", "event": string(text), "files": files})
}

func post(message map[string]any) { js.Global().Call("postMessage", message) }

func array(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

// pause lets the worker receive messages from the page, which a busy program would block.
func pause() { time.Sleep(time.Millisecond) }
