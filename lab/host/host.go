// Package host offers a machine's boards to a lab. Each board takes one job or block at a time and runs it locally with
// package station; package lab describes the protocol.
package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"utfbench/internal/failure"
	"utfbench/lab"
	"utfbench/station"
)

// A Host is a machine with boards. Fill in the fields and call Run.
type Host struct {
	Store   *lab.Store
	Name    string // of the host's key
	Version string // of the program
	Boards  []*Board
	OnEvent func(text string) // receives events; several goroutines may call it at once
}

// A Board is one of a host's boards.
type Board struct {
	Name   string
	Target station.Target

	host *Host
	jobs jetstream.Consumer

	mu     sync.Mutex
	state  lab.Board
	cancel context.CancelCauseFunc // cancels the latest run; nil before the first

	swept *swept // the chip, open for a sweep
}

// Run offers the boards until ctx ends, and reconnects automatically. The error reports bad input or a failed start.
func (h *Host) Run(ctx context.Context) error {
	if len(h.Boards) > lab.MaxBoards {
		return failure.Usagef("%d boards: a host has at most %d; let another key offer the rest", len(h.Boards),
			lab.MaxBoards)
	}
	blocks, err := h.Store.JetStream.Consumer(ctx, lab.BlocksStream, lab.BlocksConsumer)
	if err != nil {
		return fmt.Errorf("the lab's blocks: %w", lab.Explain(err))
	}
	for n, b := range h.Boards {
		if err := b.join(ctx, h, n); err != nil {
			return err
		}
	}
	var all failure.Group
	for _, b := range h.Boards {
		all.Go(func() { b.announce(ctx) })
		all.Go(func() { b.work(ctx, blocks) })
	}
	all.Wait()
	return nil
}

// join creates the board's consumer, and subscribes to stop requests.
func (b *Board) join(ctx context.Context, h *Host, n int) (err error) {
	k, _, err := b.Target.FindKind()
	if err != nil {
		return err
	}
	b.host = h
	b.state = lab.Board{Host: h.Name, Name: b.Name, Kind: k.Name, State: lab.StateFree, Since: time.Now()}
	b.jobs, err = h.Store.JetStream.CreateOrUpdateConsumer(ctx, lab.JobsStream, jetstream.ConsumerConfig{
		Durable: lab.ConsumerName(h.Name, n), FilterSubject: lab.JobSubject(h.Name, b.Name, "*"),
		AckPolicy: jetstream.AckExplicitPolicy, MaxAckPending: 1, AckWait: lab.AckWait})
	if err != nil {
		return fmt.Errorf("the jobs of %s: %w", b.Name, lab.Explain(err))
	}
	_, err = h.Store.Conn.Subscribe(lab.StopSubject(h.Name, b.Name), b.stop)
	return failure.New(failure.Bench, err)
}

// stop ends the board's run, if any.
func (b *Board) stop(*nats.Msg) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cancel != nil {
		b.cancel(failure.Newf(failure.Interrupted, "stopped by a user of the lab"))
	}
}

// announce periodically publishes the board's state until ctx ends.
func (b *Board) announce(ctx context.Context) {
	for ctx.Err() == nil {
		b.put(ctx)
		lab.Sleep(ctx, lab.BeatInterval)
	}
	gone, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = b.host.Store.Boards.Purge(gone, b.host.Name+"."+b.Name) // if this fails, the state expires
}

func (b *Board) put(ctx context.Context) {
	b.mu.Lock()
	text := lab.Encode(b.state)
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lab.BeatInterval)
	defer cancel()
	_, _ = b.host.Store.Boards.Put(ctx, b.host.Name+"."+b.Name, text) // repeated, so an error does not matter
}

// set changes the board's state.
func (b *Board) set(ctx context.Context, state, job, why string) {
	b.mu.Lock()
	changed := b.state.State != state || b.state.Job != job || b.state.Reason != why
	if changed {
		b.state.State, b.state.Job, b.state.Reason, b.state.Since = state, job, why, time.Now()
		b.state.Done, b.state.Total = 0, 0
	}
	b.mu.Unlock()
	if changed && job == "" { // a job may be too short for an announcement of its own
		b.put(ctx)
	}
}

// progress adds to the numbers of finished and of all vectors in the board's next announcements.
func (b *Board) progress(done, of int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Done += done
	b.state.Total += of
}

// work runs jobs, and blocks of sweeps if there are no jobs, until ctx ends.
func (b *Board) work(ctx context.Context, blocks jetstream.Consumer) {
	defer b.endSweep()
	for ctx.Err() == nil {
		took, err := b.take(ctx, b.jobs, time.Second, b.job)
		if err == nil && !took {
			_, err = b.take(ctx, blocks, 0, b.block)
		}
		if err != nil {
			lab.Sleep(ctx, time.Second) // the lab is unreachable
		}
	}
}

// take fetches a message and handles it. During a sweep it does not wait for a job.
func (b *Board) take(ctx context.Context, from jetstream.Consumer, wait time.Duration,
	do func(context.Context, jetstream.Msg)) (took bool, err error) {
	var batch jetstream.MessageBatch
	if wait == 0 || b.sweeping() {
		batch, err = from.FetchNoWait(1)
	} else {
		batch, err = from.Fetch(1, jetstream.FetchMaxWait(wait))
	}
	if err != nil {
		return false, err
	}
	for m := range batch.Messages() {
		took = true
		done := keepAlive(context.WithoutCancel(ctx), m)
		do(ctx, m)
		done()
	}
	if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) {
		return took, err
	}
	if wait == 0 && !took && b.sweeping() {
		b.endSweep()
	}
	return took, nil
}

// sweeping reports whether a chip is open for a sweep.
func (b *Board) sweeping() bool { return b.swept != nil && b.swept.chip != nil }

// keepAlive reports a message to JetStream as in progress until the returned function is called.
func keepAlive(ctx context.Context, m jetstream.Msg) (done func()) {
	ctx, done = context.WithCancel(ctx)
	failure.Go(func() {
		for lab.Sleep(ctx, lab.AckWait/3) {
			_ = m.InProgress() // if this fails, the message is delivered again
		}
	})
	return done
}
