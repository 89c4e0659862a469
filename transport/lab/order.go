package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/printable"
)

// An Order is the server's command to a host about one of its boards. No key may publish one.
type Order struct {
	By     string `json:"by"`     // the key of who wants it
	Holder Holder `json:"holder"` // who had the board when it was wanted, if somebody had to
}

// Is reports whether the order is about this holder, rather than a later one.
func (o *Order) Is(h *Holder) bool {
	const clipped = time.Millisecond // as the server does with what hosts say
	return h != nil && h.Key == o.Holder.Key && h.Since.Sub(o.Holder.Since).Abs() <= clipped
}

// Stop tells the host of a taken board to end the lease of its holder, by the server's own mailbox. It returns when
// the chip is parked.
func Stop(ctx context.Context, own *Mailbox, b *Board, by string) error {
	if b.Holder == nil {
		return fmt.Errorf("%s: nobody has it", b)
	}
	text, err := json.Marshal(Order{by, *b.Holder})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, Silence)
	defer cancel()
	_, err = order(ctx, own, b, "stop", text)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%s: no answer of its host for %s, so it may be stopped later or not at all", b, Silence)
	}
	return err
}

// Parking is how long a host tries to park a board.
const Parking = time.Minute

// Park orders the host of a free board to park it, whatever its state, and returns the state it was left in. The error
// says why the host refused or failed.
func Park(ctx context.Context, own *Mailbox, b *Board, by string) (state string, err error) {
	text, err := json.Marshal(Order{By: by})
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, Parking+Patience)
	defer cancel()
	said, err := order(ctx, own, b, "park", text)
	return printable.Text(string(said)), err
}

// Around asks the host of a board for the steps around the first failure of the run there, as its holder's bench packed
// them, by the server's own mailbox.
func Around(ctx context.Context, own *Mailbox, b *Board) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	return order(ctx, own, b, "around", nil)
}

// order asks the host of a board for something that only the server may ask for.
func order(ctx context.Context, own *Mailbox, b *Board, verb string, body []byte) ([]byte, error) {
	msg, err := own.Request(ctx, b.Host, OrderSubject(b.Host, b.Name)+"."+verb, body)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, fmt.Errorf("%s: its host does not hear: it has just gone, or its bench is older than the server's",
			b)
	case err != nil:
		return nil, fmt.Errorf("%s: no answer of its host: %w", b, err)
	}
	if err := refusal(msg); err != nil {
		return nil, fmt.Errorf("%s: %w", b, err)
	}
	return msg.Data, nil
}

// OrderSubject returns the prefix of a board's orders; "*" stands for any board, ">" for all that follows.
func OrderSubject(host, board string) string { return "do." + host + "." + board }
