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

// park parks a board that nobody has, whatever state it is in, in the name of a key, and says in which state it is
// left. Meanwhile the board is that key's, as if it were a user's.
func (b *board) park(by string) (state string, err error) {
	by = printable.Text(by)
	used, err := b.own(by, time.Now())
	if err != nil {
		return "", err
	}
	state, err = used.park(b.offer.Target)
	b.mu.Lock()
	if err == nil {
		b.broken = nil // whatever was wrong before
	}
	b.mu.Unlock()
	if err != nil {
		b.end(fmt.Errorf("it could not be parked for %s, from the lab's page: %w", by, err))
		return "", err
	}
	b.end(fmt.Errorf("parked for %s, from the lab's page: %s", by, state))
	return state, nil
}

// own has the host itself take a board that is free and that nobody waits for.
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
	b.turns.holder.heard = now.Add(2 * lab.Parking) // nobody is to be heard: it ends by itself
	b.used = newUse()
	return b.used, nil
}

// park parks a board that was not opened.
func (u *use) park(t station.Target) (state string, err error) {
	u.opening.Lock() // until which the lease does not end
	defer u.opening.Unlock()
	ctx, cancel := context.WithTimeoutCause(u.context, lab.Parking, fmt.Errorf("it took longer than %s", lab.Parking))
	defer cancel()
	state, err = t.Park(ctx)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // which says more than what the chip was cut off in
	}
	return state, err
}
