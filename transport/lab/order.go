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
	By     string `json:"by"`     // key of the user who wants it
	Holder Holder `json:"holder"` // at the time of the order, if required
}

// Is reports whether the order applies to this holder, not a later one.
func (o *Order) Is(h *Holder) bool {
	const clipped = time.Millisecond // the server truncates the hosts' times
	return h != nil && h.Key == o.Holder.Key && h.Since.Sub(o.Holder.Since).Abs() <= clipped
}

// Stop orders a board's host, through the server's own mailbox, to end the holder's lease. It returns when the chip is
// parked.
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

// Parking is the host's time limit for parking a board.
const Parking = time.Minute

// Park orders the host of a free board to park it, whatever its state, and returns the resulting state. The error is
// the host's reason for a refusal or failure.
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

// Around requests from a board's host, through the server's own mailbox, the steps around the first failure of the run,
// as packed by the holder's bench.
func Around(ctx context.Context, own *Mailbox, b *Board) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	return order(ctx, own, b, "around", nil)
}

// order sends a board's host a request that only the server may send.
func order(ctx context.Context, own *Mailbox, b *Board, verb string, body []byte) ([]byte, error) {
	msg, err := own.Request(ctx, b.Host, OrderSubject(b.Host, b.Name)+"."+verb, body)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, fmt.Errorf("%s: its host does not respond: it has just gone, or its bench is older than the "+
			"server's", b)
	case err != nil:
		return nil, fmt.Errorf("%s: no answer of its host: %w", b, err)
	}
	if err := refusal(msg); err != nil {
		return nil, fmt.Errorf("%s: %w", b, err)
	}
	return msg.Data, nil
}

// OrderSubject returns the prefix of a board's orders; "*" stands for any board, ">" for anything that follows.
func OrderSubject(host, board string) string { return "do." + host + "." + board }
