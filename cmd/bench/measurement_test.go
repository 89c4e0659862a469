package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"utfbench/lab/server"
	"utfbench/transport/lab"
)

// A measurement whose lab cannot be reached is in a file, which the note names, and is handed in later.
func TestMeasuredOffline(t *testing.T) {
	t.Setenv("BENCH_DB", filepath.Join(t.TempDir(), "h.db"))
	t.Setenv(lab.Variable, filepath.Join(t.TempDir(), "none")) // so that none is remembered
	cfg := server.Config{Data: t.TempDir(), Listen: "127.0.0.1:0", Bench: "test"}
	s, err := server.Start(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Listen = s.Listens()
	s.Close()
	invite := server.InviteFile(cfg.Data)
	handIn := func(transport, file string) (said, noted string) {
		var out, note bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetContext(t.Context())
		cmd.SetErr(&note)
		of := target{design: usualDesign()}
		of.Transport, of.Lab.Invitation = transport, invite
		new(handsIn).handIn(cmd, &of, &out, found{"shmoo", file, func(w io.Writer) error {
			_, err := io.WriteString(w, `{"schema":1,"bench":"v1","transport":"`+transport+`","board":"b","revision":`+
				`"r","vectors":4,"count":1,"whole":true,"x":{"knob":"pulse","values_ns":[10]},"cells":[null]}`)
			return err
		}})
		return out.String(), note.String()
	}
	if said, note := handIn("mock", ""); said+note != "" {
		t.Error("it is of no lab: ", said, note)
	}
	said, note := handIn("lab:a", "s.json")
	if said != "" || !strings.HasPrefix(note, "note: the shmoo is not handed in to the lab: no lab at tls://") ||
		!strings.HasSuffix(note, "; it is kept, and this hands it in: bench lab hand-in s.json\n") {
		t.Error(said, note)
	}
	_, note = handIn("lab:a", "-")
	_, path, _ := strings.Cut(strings.TrimSpace(note), "bench lab hand-in ")
	path = strings.Trim(path, "'") // as a shell does
	if text, err := os.ReadFile(path); err != nil || !bytes.Contains(text, []byte(`"lab:a"`)) {
		t.Fatal(note, err)
	}
	if s, err = server.Start(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if code, said := bench(t, "lab", "hand-in", path, "--invite", invite); code != 0 ||
		said != path+": handed in, the lab has it as measurement 1\n" {
		t.Error(code, said)
	}
	if said, note := handIn("lab:a", ""); said != "shmoo: the lab has it already, as measurement 1\n" || note != "" {
		t.Error(said, note)
	}
}
