package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/lab"
	"utfbench/lab/server"
)

// dataFlag adds --data, which sets the server's folder before a command runs.
func dataFlag(cmd *cobra.Command, data *string) {
	cmd.Flags().StringVar(data, "data", "", "the server's `FOLDER` (default: lab in utfbench of the user's data "+
		"folder)")
	cmd.PreRunE = func(*cobra.Command, []string) (err error) {
		*data, err = orOwn(*data, "lab")
		return err
	}
}

func newServe() *cobra.Command {
	cfg := server.Config{Sizes: lab.Sizes{Replicas: 1, Inputs: 2 << 30, Recordings: 8 << 30}}
	var url, creds string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a lab",
		Long: `serve runs the server of a lab, NATS with JetStream. The first start makes its certificate. Only
machines with a key are admitted, by TLS 1.3: benchlab invite writes invitations. Ctrl-C ends it; after
another start with the same --data and --listen everything goes on.

With --nats it only makes the lab's streams and buckets in a NATS of your own, which manages its keys
itself, and ends.

Exit codes: 0 ended by Ctrl-C, 2 bad input, 3 it cannot serve.`,
		Example: `  benchlab serve
  benchlab serve --listen 0.0.0.0:7060 --name lab.example.com
  benchlab serve --nats nats://n1,nats://n2,nats://n3 --creds admin.creds --replicas 3`,
	}
	dataFlag(cmd, &cfg.DataDir)
	f := cmd.Flags()
	f.StringVar(&cfg.Listen, "listen", "127.0.0.1:7060", "`HOST:PORT` to listen on")
	f.StringVar(&cfg.Name, "name", "", "`HOST` by which machines reach it (default: that of --listen)")
	f.Int64Var(&cfg.Sizes.Recordings, "recordings", cfg.Sizes.Recordings, "`BYTES` of all recordings")
	f.StringVar(&url, "nats", "", "a NATS `URL` of your own")
	f.StringVar(&creds, "creds", "", "its credentials `FILE`")
	f.IntVar(&cfg.Sizes.Replicas, "replicas", 1, "with --nats: keep everything on N nodes")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if url != "" {
			nc, err := lab.DialNATS(url, creds, "serve")
			if err != nil {
				return err
			}
			defer nc.Close()
			return failure.New(failure.Bench, lab.Create(cmd.Context(), nc, cfg.Sizes))
		}
		if cfg.Sizes.Replicas != 1 {
			return failure.Usagef("--replicas is for --nats")
		}
		cfg.OnEvent = func(text string) { fmt.Fprintln(cmd.OutOrStdout(), text) }
		s, err := server.Start(cmd.Context(), cfg)
		if err != nil {
			return err
		}
		defer s.Close()
		fmt.Fprintf(cmd.OutOrStdout(), "the lab is at tls://%s; benchlab invite NAME admits a machine\n", s.Address())
		<-cmd.Context().Done()
		return nil
	}
	return cmd
}

func newInvite() *cobra.Command {
	var data, out, role string
	var good time.Duration
	cmd := &cobra.Command{
		Use:   "invite NAME",
		Short: "Write an invitation",
		Long: `invite writes an invitation for a machine, on the machine of the server. It is a secret, good once and
for a limited time: keep it like a password.`,
		Example: `  benchlab invite pi1 --host
  benchlab invite alice --out alice.invite`,
	}
	dataFlag(cmd, &data)
	f := cmd.Flags()
	host := f.Bool("host", false, "the machine offers boards (default: it uses them)")
	f.StringVar(&out, "out", "", "`FILE` to write (default: NAME.invite)")
	f.DurationVar(&good, "good", 24*time.Hour, "`TIME` for which it is good")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if role = lab.UserRole; *host {
			role = lab.HostRole
		}
		out = cmp.Or(out, args[0]+".invite")
		inv, err := server.Invite(data, args[0], role, good)
		if err == nil {
			err = inv.Write(out)
		}
		if err == nil {
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s admits the %s %s once, within %s\n", out, role, args[0], good)
		}
		return err
	}
	return cmd
}

func newRevoke() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "revoke NAME",
		Short: "Revoke a key or an invitation",
		Long:  "revoke takes a key back, on the machine of the server, which closes its connections within a second.",
		RunE:  func(_ *cobra.Command, args []string) error { return server.Revoke(data, args[0]) },
	}
	dataFlag(cmd, &data)
	return cmd
}
