package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// An Order is what the lab's server tells a host to do with one of its boards. No key may say one.
type Order struct {
	By     string `json:"by"`     // the key of who wants it
	Holder Holder `json:"holder"` // who had the board when it was wanted
}

// Is says whether it is about this holder: one who came meanwhile is not meant.
func (o *Order) Is(h *Holder) bool {
	const clipped = time.Millisecond // as the server does with what hosts say
	return h != nil && h.Key == o.Holder.Key && h.Since.Sub(o.Holder.Since).Abs() <= clipped
}

// Stop tells the host of a taken board to end the lease of its holder, by the server's own connection. It returns when
// the chip is parked.
func Stop(ctx context.Context, nc *nats.Conn, b *Board, by string) error {
	if b.Holder == nil {
		return fmt.Errorf("%s: nobody has it", b)
	}
	text, err := json.Marshal(Order{by, *b.Holder})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, Silence)
	defer cancel()
	msg, err := nc.RequestWithContext(ctx, OrderSubject(b.Host, b.Name)+".stop", text)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("%s: its host does not hear: it has just gone, or its bench is older than the server's", b)
	case err != nil:
		return fmt.Errorf("%s: no answer of its host for %s, so it may be stopped later or not at all", b, Silence)
	}
	if err := refusal(msg); err != nil {
		return fmt.Errorf("%s: %w", b, err)
	}
	return nil
}

// OrderSubject is what the subjects of orders begin with; "*" stands for any board, ">" for all that follows.
func OrderSubject(host, board string) string { return "do." + host + "." + board }
