package rp2040

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"utfbench/internal/printable"
	"utfbench/transport"
)

func (t *Transport) post(kind byte, payload []byte) (uint16, error) {
	f := frame{kind, t.seq, payload}
	t.seq++
	t.used = time.Now()
	return f.seq, t.link.send(f.append(nil))
}

// receive waits for a frame, which has to arrive completely before the timeout.
func (t *Transport) receive(ctx context.Context) (frame, error) {
	for end := time.Now().Add(t.patience); ; {
		t.frames.feed(t.link.rest)
		t.link.rest = t.link.rest[:0]
		f, ok, err := t.frames.next()
		if errors.Is(err, errEnded) {
			return f, t.traceback(ctx)
		}
		if ok || err != nil {
			return f, err
		}
		err = t.link.more(ctx, time.Until(end))
		switch {
		case errors.Is(err, errQuiet):
			return f, fmt.Errorf("no answer for %v: was the board reset, or the cable pulled?", t.patience)
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return f, fmt.Errorf("stopped while the board was answering: %w", err)
		case err != nil:
			return f, err
		}
	}
}

// traceback returns the output of the raw REPL after a program has ended, up to the next mark, as an error.
func (t *Transport) traceback(ctx context.Context) error {
	for end := time.Now().Add(t.patience); bytes.Count(t.frames.buf, []byte(endOfText)) < 2; {
		if t.link.more(ctx, time.Until(end)) != nil {
			break
		}
		t.frames.feed(t.link.rest)
		t.link.rest = t.link.rest[:0]
	}
	said := strings.Trim(string(t.frames.buf), endOfText+">")
	if said == "" {
		return errEnded
	}
	return &execError{said}
}

func (t *Transport) answer(ctx context.Context, kind byte, seq uint16) (frame, error) {
	f, err := t.receive(ctx)
	switch {
	case err != nil:
		return f, err
	case f.kind == kindError:
		t.parked = true
		return f, fmt.Errorf("the board gave up: %s", printable.Text(string(f.payload)))
	case f.kind != kind || f.seq != seq:
		return f, fmt.Errorf("the board answered frame %d (%q), but the answer to %d (%q) is due: an answer "+
			"was lost or came late", f.seq, f.kind, seq, kind)
	}
	return f, nil
}

func (t *Transport) exchange(ctx context.Context, kind byte, payload []byte) (frame, error) {
	seq, err := t.post(kind, payload)
	if err != nil {
		return frame{}, err
	}
	return t.answer(ctx, kind, seq)
}

// pipeline exchanges frames of a kind, at most n of them in flight. next returns the payload of the next frame, or nil
// at the end; done receives the answers, in order.
func (t *Transport) pipeline(ctx context.Context, kind byte, n int, next func() []byte, done func([]byte) error) error {
	var flying []uint16
	for payload := next(); payload != nil || len(flying) > 0; {
		if payload != nil && len(flying) < n {
			seq, err := t.post(kind, payload)
			if err != nil {
				return err
			}
			flying, payload = append(flying, seq), next()
			continue
		}
		f, err := t.answer(ctx, kind, flying[0])
		if err == nil {
			err = done(f.payload)
		}
		if err != nil {
			return err
		}
		flying = flying[1:]
	}
	return nil
}

// batch keeps as many frames in flight as the board allows. It returns the number of good samples.
func (t *Transport) batch(ctx context.Context, steps []transport.Step, samples []transport.Sample) (good int,
	err error) {
	sent := 0
	var counts []int // number of steps in each frame
	err = t.pipeline(ctx, kindSteps, t.board.inFlight, func() []byte {
		if sent == len(steps) {
			return nil
		}
		codes, n := t.codes.encode(nil, steps[sent:], t.board.payload, t.board.steps)
		sent, counts = sent+n, append(counts, n)
		return codes
	}, func(packed []byte) error {
		end := good + counts[0]
		err := t.packed.unpack(packed, steps[good:end], samples[good:end])
		if err == nil {
			good, counts = end, counts[1:]
		}
		return err
	})
	return good, err
}

// quit parks the chip and restores the prompt. On a dead link, where old answers may still arrive, it waits only for
// the program's end.
func (t *Transport) quit(ctx context.Context) error {
	seq, err := t.post(kindQuit, nil)
	if err == nil && t.dead == nil {
		_, err = t.answer(ctx, kindQuit, seq)
		t.link.rest, t.frames.buf = append(t.frames.buf, t.link.rest...), nil
	}
	if err != nil {
		return err
	}
	if _, err := t.link.until(ctx, t.patience, endOfText+endOfText+">"); err != nil {
		t.link.send([]byte("\r" + interrupt + interrupt))
		return err
	}
	if err := t.link.unload(ctx); err != nil {
		return err
	}
	return t.link.leaveRaw(ctx)
}

// keepAlive pings an idle board, which would otherwise assume a dead host after a silence of 2 s or more.
func (t *Transport) keepAlive() {
	const every = 500 * time.Millisecond
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-t.link.stop:
			return
		case <-tick.C:
			if t.mu.TryLock() {
				t.ping(every)
				t.mu.Unlock()
			}
		}
	}
}

func (t *Transport) ping(every time.Duration) {
	if t.closed || t.dead != nil || time.Since(t.used) < every/2 {
		return
	}
	_, err := t.exchange(context.Background(), kindPing, nil)
	t.bury(err)
}
