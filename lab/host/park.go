package host

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"utfbench/internal/printable"
	"utfbench/station"
	"utfbench/transport/lab"
)

// park parks a free board in the name of a key, whatever state it is in, and returns the final state. The key holds the
// board meanwhile, as a user would.
func (b *board) park(by string) (state string, err error) {
	by = printable.Text(by)
	used, err := b.own(by, time.Now())
	if err != nil {
		return "", err
	}
	state, err = used.park(b.offer.Target)
	b.mu.Lock()
	if err == nil {
		b.broken = nil // the earlier fault is obsolete
	}
	b.mu.Unlock()
	if err != nil {
		b.end(fmt.Errorf("it could not be parked for %s, from the lab's page: %w", by, err))
		return "", err
	}
	b.end(fmt.Errorf("parked for %s, from the lab's page: %s", by, state))
	return state, nil
}

// own makes the host the holder of a board that is free and has no queue.
func (b *board) own(by string, now time.Time) (*use, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.absent != nil {
		return nil, b.absent
	}
	w := lab.Wish{Who: by, Does: "parking, from the lab's page", Ticket: rand.Text()}
	switch g := b.turns.take(by, &w, now); {
	case g.Lease == "" && g.Holder != nil:
		return nil, fmt.Errorf("it is not free: %s", g.Holder)
	case g.Lease == "":
		return nil, errors.New("it is not free: others wait for it")
	}
	b.turns.holder.heard = now.Add(2 * lab.Parking) // no user sends alive, and the lease ends by itself
	b.used = newUse()
	return b.used, nil
}

// park parks a board that was not opened.
func (u *use) park(t station.Target) (state string, err error) {
	u.opening.Lock() // held until end may run
	defer u.opening.Unlock()
	ctx, cancel := context.WithTimeoutCause(u.context, lab.Parking, fmt.Errorf("it took longer than %s", lab.Parking))
	defer cancel()
	state, err = t.Park(ctx)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // says more than the interrupted operation
	}
	return state, err
}
