package command

import (
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/lab/page"
	"utfbench/lab/server"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

func (p *program) newServe() *cobra.Command {
	var data folder
	var cfg server.Config
	var front, quota string
	var out outlook
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a lab to its machines",
		Long: `serve runs the server of a lab: it admits machines with an invitation, carries their messages, and
prints a line whenever a host or a board comes, goes, is taken or is free. The first start makes a
key, its invitation (the file invite in the folder of --data) and a certificate. Every address is
served by TLS 1.3, and only to machines with a key. Ctrl-C ends it.

By default only this machine can reach it. --listen 0.0.0.0:7060 serves all its addresses;
invitations then contain its network address, or the value of --name.

A browser can show the lab live: serve prints the address of its page, with a token that admits one
browser; bench lab page prints others. By default only this machine can reach the page (--page none:
no page); any other address uses TLS, with the server's certificate.

The runs that the lab's machines hand in are its history: bench history --lab.

After a restart with the same --data and --listen a lab continues, and all invitations remain valid.

Exit codes: 0 ended by Ctrl-C, 2 bad input, 3 it cannot serve, for example if the port is in use.`,
		Example: `  benchlab serve
  benchlab serve --data /srv/lab --listen 0.0.0.0:7060
  benchlab serve --listen :7060 --page :7061 --name lab.example.com`,
		Args: cli.Takes(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if cfg.Data, err = data.Folder(); err != nil {
				return err
			}
			if cfg.Quota, err = parseQuota(quota); err != nil {
				return err
			}
			if err := out.check(); err != nil {
				return err
			}
			return p.serve(cmd, cfg, front, &out)
		},
	}
	data.flag(cmd)
	out.flags(cmd)
	cmd.Flags().StringVar(&cfg.Listen, "listen", server.DefaultListen, "`HOST:PORT` to serve; port 0 is any free one")
	cmd.Flags().StringVar(&front, "page", "", "`HOST:PORT` of the page, or none (default: "+lab.DefaultFront+
		", or any port if that is in use)")
	cmd.Flags().StringVar(&cfg.Name, "name", "", "`HOST` or HOST:PORT for invitations (default: as --listen, "+
		"or this machine's own)")
	cmd.Flags().StringVar(&quota, "quota", humanize.Bytes(server.DefaultQuota), "maximum total `SIZE` of the "+
		"recordings in the lab's history, such as 500MB or 20GB; the oldest are removed first")
	return cmd
}

func parseQuota(text string) (int64, error) {
	n, err := humanize.ParseBytes(text)
	if err != nil || n < leastQuota || n > 1<<60 {
		return 0, failure.Usagef("--quota %q: has to be a size of 1MB or more, such as 500MB or 20GB", text)
	}
	return int64(n), nil
}

// leastQuota has room for a run of all vectors.
const leastQuota = 1_000_000

// serve serves until the command is interrupted.
func (p *program) serve(cmd *cobra.Command, cfg server.Config, front string, out *outlook) error {
	events := make(chan lab.Event, 1024)
	cfg.Bench = p.Version()
	cfg.Tell = func(e lab.Event) {
		select {
		case events <- e:
		default: // the reader stopped; the lab continues
		}
	}
	s, err := server.Start(cmd.Context(), cfg)
	if err != nil {
		return err
	}
	defer s.Close()
	standings := &page.Standings{Lab: s}
	s.Judged(standings.Last)
	w := cmd.OutOrStdout()
	shown, err := openPage(s, native.Past{Version: p.Version(), Lab: true}, front)
	if err != nil {
		return err
	}
	defer shown.Close()
	if err := introduce(w, s, shown, cfg.Data); err != nil {
		return fault(err)
	}
	end, err := out.begin(standings, func(what string) { cfg.Tell(lab.Event{At: time.Now(), What: what}) })
	if err != nil {
		return err
	}
	defer end()
	for {
		select {
		case <-cmd.Context().Done():
			fmt.Fprintf(w, "%s  the server ends; running hosts reconnect when it starts again\n",
				time.Now().Format(time.DateTime))
			return nil
		case e := <-events:
			if _, err := fmt.Fprintf(w, "%s  %s\n", e.At.Format(time.DateTime), e); err != nil {
				return fault(err)
			}
		}
	}
}

// openPage opens the lab's page, or returns nil if none is wanted.
func openPage(s *server.Server, past native.Past, front string) (*page.Page, error) {
	if front == "none" {
		return nil, nil
	}
	l, at, err := s.Front(front)
	if err != nil {
		return nil, err
	}
	p := page.Serve(l, at, page.Config{Title: "lab " + s.Name(), Tokens: "On an invited machine run bench lab page, " +
		"and open the address that it prints. It admits one browser, once.",
		Transport: func(board string) string { return "lab:" + board }, Report: past.Report, Bundle: past.Bundle,
		Park: s.Park}, s)
	s.Show(func(key string) (string, error) { return p.Invite(key, false) })
	return p, nil
}

// introduce prints the lab's address and how other machines join.
func introduce(w io.Writer, s *server.Server, p *page.Page, data string) error {
	file := "FILE"
	fmt.Fprintf(w, "the lab %s at %s, data in %s\n", s.Name(), s.Address(), data)
	if s.Invited() {
		file = server.InviteFile(data)
		fmt.Fprintf(w, "first invitation (key first): %s; %s makes one for each other machine\n", file,
			server.Command(data, "invite", "NAME"))
	} else {
		fmt.Fprintf(w, "the first invitation was removed; %s makes others\n", server.Command(data, "invite", "NAME"))
	}
	_, err := fmt.Fprintf(w, "a machine offers its boards by: bench lab join INVITATION, this one by: bench lab "+
		"join %s\n", file)
	if err == nil && p != nil {
		err = introducePage(w, p)
	}
	return err
}

// introducePage prints the page's URL, which acts in the name of the first key.
func introducePage(w io.Writer, p *page.Page) error {
	at, err := p.Invite(server.First, true)
	if err != nil { // the first key was revoked
		_, err = fmt.Fprintln(w, "its page: bench lab page INVITATION prints its address")
		return err
	}
	_, err = fmt.Fprintf(w, "its page, for one browser: %s ; bench lab page gives others\n", at)
	return err
}
