package lab

import (
	"context"
	"encoding/json"
	"io"
)

// A MeasurementQuery selects measurements of the lab's history, the latest first. Empty fields match everything.
type MeasurementQuery struct {
	Protocol  int    `json:"protocol"`
	Bench     string `json:"bench"`
	Kind      string `json:"kind,omitempty"`
	Transport string `json:"transport,omitempty"`
	Words     string `json:"words,omitempty"`
	Number    int    `json:"number,omitempty"`
	Before    int    `json:"before,omitempty"` // lower numbers alone
	Last      int    `json:"last,omitempty"`   // no more than so many
}

// A MeasurementList answers a MeasurementQuery. There may be more, with lower numbers than the last.
type MeasurementList struct {
	Measurements []json.RawMessage `json:"measurements"` // as a history writes them
	More         bool              `json:"more"`
}

// Measurements gives some measurements of the lab's history.
func (c *Conn) Measurements(ctx context.Context, q MeasurementQuery) (*MeasurementList, error) {
	q.Protocol = Protocol
	var list MeasurementList
	return &list, c.askRuns(ctx, "measurements", q, &list)
}

// ReadDocument writes a measurement's document, of this many bytes.
func (c *Conn) ReadDocument(ctx context.Context, number int, bytes int64, to io.Writer) error {
	return c.read(ctx, "document", "the document of measurement", &Recorded{Run: number, Bytes: bytes}, to)
}
