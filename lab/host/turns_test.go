package host

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"utfbench/transport/lab"
)

// Whatever users do, a board has at most one holder, the longest waiting user is next, a lease is never reissued, and
// no silent user keeps the board.
func TestTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var turns turns
		now := time.Unix(0, 0)
		given := map[string]string{} // lease to ticket
		waits := []string{}          // in order of arrival, as far as they still ask
		for range rapid.IntRange(1, 60).Draw(t, "moves") {
			now = now.Add(lab.Beat / 2)
			ticket := fmt.Sprint(rapid.IntRange(1, 4).Draw(t, "who"))
			for _, w := range waits { // waiting users keep asking
				turns.take("k", &lab.Wish{Ticket: w, Wait: true}, now)
			}
			if turns.holder != nil {
				waits = slices.DeleteFunc(waits, func(w string) bool { return w == turns.holder.ticket })
			}
			switch rapid.SampledFrom([]string{"take", "wait", "leave", "silence"}).Draw(t, "does") {
			case "take":
				checkTurn(t, &turns, given, waits, ticket, turns.take("k", &lab.Wish{Ticket: ticket}, now))
			case "wait":
				g := turns.take("k", &lab.Wish{Ticket: ticket, Wait: true}, now)
				checkTurn(t, &turns, given, waits, ticket, g)
				if g.Lease == "" && !slices.Contains(waits, ticket) {
					waits = append(waits, ticket)
				}
			case "leave":
				turns.holder = nil
			case "silence":
				now = now.Add(lab.Silence + 1)
				if turns.holder != nil && !turns.overdue(now) {
					t.Fatal("a holder kept the board in silence")
				}
				turns.holder, waits = nil, nil
			}
		}
	})
}

func checkTurn(t *rapid.T, turns *turns, given map[string]string, waits []string, ticket string, g lab.Grant) {
	if g.Lease == "" {
		if turns.holder == nil && len(waits) == 0 {
			t.Fatalf("a free board was refused: %+v", g)
		}
		return
	}
	if owner, known := given[g.Lease]; known && owner != ticket {
		t.Fatalf("the lease of %s was given to %s", owner, ticket)
	}
	given[g.Lease] = ticket
	if turns.holder == nil || turns.holder.lease != g.Lease {
		t.Fatal("who got a lease does not have the board")
	}
	if len(waits) > 0 && waits[0] != ticket && slices.Contains(waits, ticket) {
		t.Fatalf("%s got the board before %s, who came first", ticket, waits[0])
	}
}

// A lease belongs to its holder only, and a repeated ticket gets no second lease.
func TestTurnsTwice(t *testing.T) {
	var turns turns
	now := time.Unix(0, 0)
	first := turns.take("k", &lab.Wish{Ticket: "a", Who: "alice"}, now)
	again := turns.take("k", &lab.Wish{Ticket: "a", Who: "alice"}, now)
	if first.Lease == "" || first != again {
		t.Errorf("%+v, then %+v", first, again)
	}
	if g := turns.take("k", &lab.Wish{Ticket: "b"}, now); g.Lease != "" || g.Holder.Who != "alice" || g.Place != 0 {
		t.Errorf("another got %+v", g)
	}
	if turns.hear("another", now) || !turns.hear(first.Lease, now) {
		t.Error("the lease is not told from another")
	}
	if g := turns.take("k", &lab.Wish{Ticket: "b", Wait: true}, now); g.Place != 1 {
		t.Errorf("the first who waits has place %d", g.Place)
	}
	turns.holder = nil
	if g := turns.take("k", &lab.Wish{Ticket: "c"}, now); g.Lease != "" || g.Holder != nil {
		t.Errorf("one who does not wait got %+v before one who does", g)
	}
	turns.forget(now.Add(lost + 1))
	if g := turns.take("k", &lab.Wish{Ticket: "c"}, now.Add(lost+1)); g.Lease == "" {
		t.Errorf("one who waited and is gone keeps others from the board: %+v", g)
	}
}
