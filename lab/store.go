package lab

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// A Store holds a lab's streams and buckets, opened on one connection.
type Store struct {
	Conn                    *nats.Conn
	JetStream               jetstream.JetStream
	Boards, Results, Sweeps jetstream.KeyValue
	Inputs, Recordings      jetstream.ObjectStore
}

// Name returns the name of this machine's key.
func (s *Store) Name() string { return s.Conn.Opts.Name }

// Sizes limits the data of a lab.
type Sizes struct {
	Replicas           int   // 1, or 3 in a cluster
	Inputs, Recordings int64 // bytes
}

// Times for which entries are kept.
const (
	keepJobs   = 7 * 24 * time.Hour
	keepInputs = 30 * 24 * time.Hour
)

// Create creates the lab's streams and buckets, or updates them.
func Create(ctx context.Context, nc *nats.Conn, of Sizes) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	for _, c := range []jetstream.StreamConfig{
		{Name: JobsStream, Subjects: []string{JobSubject("*", "*", "*")}, Retention: jetstream.WorkQueuePolicy,
			Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: MaxWaitingJobs,
			MaxMsgSize: MaxJobBytes, Duplicates: time.Hour, MaxAge: keepJobs},
		{Name: BlocksStream, Subjects: []string{"block.*"}, Retention: jetstream.WorkQueuePolicy,
			MaxMsgSize: MaxJobBytes, Duplicates: keepJobs, MaxAge: keepJobs},
	} {
		c.Replicas = of.Replicas
		if _, err := js.CreateOrUpdateStream(ctx, c); err != nil {
			return fmt.Errorf("the stream %s: %w", c.Name, err)
		}
	}
	if _, err := js.CreateOrUpdateConsumer(ctx, BlocksStream, jetstream.ConsumerConfig{Durable: BlocksConsumer,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: AckWait, MaxAckPending: 4096}); err != nil {
		return fmt.Errorf("the consumer of blocks: %w", err)
	}
	for _, c := range []jetstream.KeyValueConfig{
		{Bucket: BoardsBucket, TTL: BeatTimeout},
		{Bucket: ResultsBucket, TTL: keepInputs, MaxValueSize: MaxJobBytes},
		{Bucket: SweepsBucket, TTL: keepJobs, MaxValueSize: MaxJobBytes},
	} {
		c.Replicas = of.Replicas
		if _, err := js.CreateOrUpdateKeyValue(ctx, c); err != nil {
			return fmt.Errorf("the bucket %s: %w", c.Bucket, err)
		}
	}
	for _, c := range []jetstream.ObjectStoreConfig{
		{Bucket: InputsBucket, TTL: keepInputs, MaxBytes: of.Inputs},
		{Bucket: RecordingsBucket, MaxBytes: of.Recordings},
	} {
		c.Replicas = of.Replicas
		if _, err := js.CreateOrUpdateObjectStore(ctx, c); err != nil {
			return fmt.Errorf("the bucket %s: %w", c.Bucket, err)
		}
	}
	recordings, err := js.Stream(ctx, "OBJ_"+RecordingsBucket)
	if err != nil {
		return err
	}
	oldest := recordings.CachedInfo().Config
	oldest.Discard = jetstream.DiscardOld // by default a full object store rejects new objects
	_, err = js.UpdateStream(ctx, oldest)
	return err
}

// Open opens the streams and buckets that Create made.
func Open(ctx context.Context, nc *nats.Conn) (s *Store, err error) {
	s = &Store{Conn: nc}
	if s.JetStream, err = jetstream.New(nc, jetstream.WithPublishAsyncTimeout(time.Minute)); err != nil {
		return nil, err
	}
	for name, to := range map[string]*jetstream.KeyValue{BoardsBucket: &s.Boards, ResultsBucket: &s.Results,
		SweepsBucket: &s.Sweeps} {
		if *to, err = s.JetStream.KeyValue(ctx, name); err != nil {
			return nil, missing(name, err)
		}
	}
	for name, to := range map[string]*jetstream.ObjectStore{InputsBucket: &s.Inputs,
		RecordingsBucket: &s.Recordings} {
		if *to, err = s.JetStream.ObjectStore(ctx, name); err != nil {
			return nil, missing(name, err)
		}
	}
	return s, nil
}

func missing(bucket string, err error) error {
	if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return failure.Usagef("this NATS has no lab, since the bucket %s is missing: benchlab serve --nats URL makes "+
			"one", bucket)
	}
	return fmt.Errorf("the bucket %s: %w", bucket, Explain(err))
}

// Digest returns the SHA-256 of a text, in hex.
func Digest(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// Put stores an input or a recording under its SHA-256, unless it is already stored.
func Put(ctx context.Context, to jetstream.ObjectStore, what string, text []byte, limit int64) (sum string, err error) {
	if int64(len(text)) > limit {
		return "", failure.Usagef("%s has %s: at most %s are allowed in a lab", what,
			files.FormatSize(int64(len(text))),
			files.FormatSize(limit))
	}
	sum = Digest(text)
	if _, err := to.GetInfo(ctx, sum); err == nil {
		return sum, nil
	}
	if _, err := to.Put(ctx, jetstream.ObjectMeta{Name: sum}, bytes.NewReader(text)); err != nil {
		return "", fmt.Errorf("%s cannot be stored: %w", what, Explain(err))
	}
	return sum, nil
}

// Get returns an input or a recording, after checking its SHA-256.
func Get(ctx context.Context, from jetstream.ObjectStore, what, sum string, limit int64) ([]byte, error) {
	if !sumForm().MatchString(sum) {
		return nil, failure.Usagef("%s: %q is no SHA-256", what, sum)
	}
	o, err := from.Get(ctx, sum)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, failure.Usagef("%s: the lab has no object %s any more", what, sum)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, Explain(err))
	}
	defer o.Close()
	text, err := io.ReadAll(io.LimitReader(o, limit+1))
	if err != nil && !errors.Is(err, jetstream.ErrDigestMismatch) {
		return nil, failure.Newf(failure.Bench, "%s: the object %s is incomplete in the lab, which drops old ones "+
			"for new ones, or the lab does not respond: %w", what, sum, err)
	}
	if err != nil || Digest(text) != sum {
		return nil, failure.Usagef("%s: the lab's object %s is incomplete or was changed: its SHA-256 is another",
			what, sum)
	}
	return text, nil
}

// List calls a function with each entry of a bucket, if the entry's key matches a pattern.
func List(ctx context.Context, kv jetstream.KeyValue, pattern string, each func(key string, value []byte)) error {
	return Follow(ctx, kv, pattern, func(e jetstream.KeyValueEntry) (done bool, err error) {
		if e != nil {
			each(e.Key(), e.Value())
		}
		return e == nil, nil
	})
}

// Follow calls a function with each existing and later entry whose key matches a pattern, until the function returns
// done or an error. A nil entry follows the last existing one.
func Follow(ctx context.Context, kv jetstream.KeyValue, pattern string,
	each func(jetstream.KeyValueEntry) (done bool, err error)) error {
	w, err := kv.Watch(ctx, pattern, jetstream.IgnoreDeletes())
	if err != nil {
		return Explain(err)
	}
	defer func() { _ = w.Stop() }()
	for e := range w.Updates() {
		if done, err := each(e); done || err != nil {
			return err
		}
	}
	return cmp.Or(ctx.Err(), failure.Newf(failure.Bench, "the lab's %s cannot be followed any more", kv.Bucket()))
}

// Encode encodes a value of this package.
func Encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // cannot happen: the values contain only texts and numbers
	}
	return text
}

// Decode decodes a value from another machine, and makes its texts printable.
func Decode(text []byte, value any) error { return printable.Decode(text, value) }

// Codes of JetStream's errors (nats-server, errors.json).
const (
	codeNoStorage   = 10047
	codeTooLarge    = 10054
	codeStoreFailed = 10077
)

// Explain replaces a JetStream error by a readable one; nil stays nil.
func Explain(err error) error {
	var api *jetstream.APIError
	switch {
	case errors.As(err, &api) && api.ErrorCode == codeTooLarge, errors.Is(err, nats.ErrMaxPayload):
		return failure.Usagef("it is larger than the lab allows, %s for a job", files.FormatSize(MaxJobBytes))
	case errors.As(err, &api) && (api.ErrorCode == codeNoStorage || api.ErrorCode == codeStoreFailed):
		return failure.Newf(failure.Bench, "the lab's storage refuses it (%s): wait until jobs are done, or have the "+
			"lab's limits raised", api.Description)
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrJetStreamNotEnabled),
		errors.Is(err, jetstream.ErrNoStreamResponse), errors.Is(err, jetstream.ErrAsyncPublishTimeout):
		return failure.Newf(failure.Bench, "the lab stores nothing: its disk may be full, or it just started")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return failure.Newf(failure.Bench, "the lab does not respond, or this key may not do that")
	}
	return failure.New(failure.Bench, err)
}
