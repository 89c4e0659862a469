// Package remote carries steps and samples as messages to a chip at the far end of a link. A [Near] is a transport with
// all optional abilities. A [Far] executes its requests on a transport of its own. The [Link] between them carries a
// request and returns the answer; it depends on neither.
//
// # Messages
//
// All numbers are little-endian. A request is
//
//	kind, 1 | number, 8 | body
//
// and the answer to it is
//
//	the same kind, or '!' for a refused request, 1 | the same number, 8
//	| bytes that the far transport sent and received, 8 each | length of the error, 2 | error, JSON | body
//
// An error is {"text", "is", "pin"}: its text, the names of the errors that it wraps, the fields of a
// transport.PinError. These two layouts never change; nor does the version's place at the start of hello and its
// answer.
//
//	kind              body of the request                          body of the answer
//	'H' hello         version, 2 | most bytes of an answer, 4      version, 2 | about, JSON
//	'A' apply         a part of a batch, see below                 good samples, 4 | those, 4 each
//	'S' sign          follows, 1 | series, see below               for each answered one: is it the same, 1
//	'B' burst         period, sample, lead, clock, 8 each | steps  samples
//	'F' free run      period, sample, lead, clock, 8 each | step
//	                  | clocks, 4
//	'G' grid                                                       transport.Grid, JSON
//	'P' pull          transport.Pull, 1
//	'T' tune          time, 8 | name of the knob                   actual time, 8
//	'I' take a pin    name of the pin                              its full name
//	'X' stop
//	'Q' close
//
// A step is ui, uio, the driven lines of uio, transport.Step.Flags, clocks. A sample is uo, its unknown bits, uio, its
// unknown bits. A part of a batch is
//
//	flags, 1 | steps, 4 | indices, 4 | steps, 5 each | indices, 4 each | expected samples, 4 each
//
// Flag 1 marks a part that follows another of the same batch. Flag 2 means that the indices are those of guards, with
// an expected sample for each step; flag 4 means triggers. A series is
//
//	steps, 1 | fields, 1 | cases, 4 | first counter, 4 | steps, 5 each | fields: step, shift, mask, 3 each
//	| expected uo and uio, 2 for each step of each case
//
// # Order
//
// The near end numbers its requests consecutively from a random number, and has at most 4 in flight. The far end
// executes each request once, in numerical order, whatever the order of arrival. It keeps the last answers and repeats
// them for repeated requests. It refuses older numbers and numbers too far ahead, so two near ends cannot share a far
// end.
//
// A part that follows an incomplete one (because of a guard, an error or a stop) is not applied, and its answer has no
// samples. Stop and close are outside this order. A stop has the number of the last request to end, which may be in
// progress or still to come; it may be repeated. After a close every request is refused.
package remote

import "context"

// A Link carries requests to a far end and brings its answers, for one Near at a time.
type Link interface {
	// Ask sends a request and returns its answer. It is called by several goroutines and may repeat or reorder
	// requests. An error is final: it ends the Near. Ask returns when ctx ends. The caller may reuse the request
	// afterwards and owns the answer.
	Ask(ctx context.Context, request []byte) (answer []byte, err error)

	// Limit returns the maximum size of a message in either direction, in bytes, at least LeastLimit.
	Limit() int

	// Close frees the link. Requests in progress fail.
	Close() error
}

// LeastLimit is the minimum value of a link's Limit, in bytes.
const LeastLimit = 4096

// version is the version of the messages, incremented by every incompatible change.
const version = 2

// window is the maximum number of requests in flight, which hides the latency of the parts of a long batch, and the
// number of answers that the far end keeps.
const window = 4

// Kinds of messages.
const (
	kindHello   = 'H'
	kindApply   = 'A'
	kindSign    = 'S'
	kindBurst   = 'B'
	kindFree    = 'F'
	kindGrid    = 'G'
	kindPull    = 'P'
	kindTune    = 'T'
	kindPin     = 'I'
	kindStop    = 'X'
	kindClose   = 'Q'
	kindRefused = '!'
)

// Flags of a part of a batch.
const (
	flagFollows = 1 << iota
	flagGuards
	flagTriggers
)
