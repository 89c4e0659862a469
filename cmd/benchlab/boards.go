package main

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/lab"
	"utfbench/lab/host"
	"utfbench/lab/page"
	"utfbench/lab/user"
	"utfbench/station/native"
	"utfbench/transport/rp2040/demoboard"
)

func newJoin() *cobra.Command {
	var boards []*host.Board
	var transports, names, faults []string
	cmd := &cobra.Command{
		Use:   "join",
		Short: "Offer this machine's boards",
		Long: `join offers boards of this machine to a lab until Ctrl-C, by default all that are plugged in. Each judges
one job at a time, here; nothing from the network is executed.`,
		Example: `  benchlab join --invite pi1.invite
  benchlab join -t rp2040:/dev/ttyACM0 -t gpio --name left --name right
  benchlab join -t mock -t mock:tt08`,
		PreRunE: func(*cobra.Command, []string) (err error) {
			boards, err = offered(transports, names, faults)
			return err
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&transports, "transport", "t", nil, "offer this `TARGET`, as of bench run; repeatable")
	f.StringArrayVar(&names, "name", nil, "`NAME` of the target with the same place; repeatable")
	f.StringArrayVar(&faults, "fault", nil, "inject a `FAULT` into the mocks; repeatable")
	inLab(cmd, func(cmd *cobra.Command, _ []string, s *lab.Store) error {
		for _, b := range boards {
			fmt.Fprintf(cmd.OutOrStdout(), "%s.%s: %s\n", s.Name(), b.Name, b.Target.Transport)
		}
		h := host.Host{Store: s, Name: s.Name(), Version: version(), Boards: boards,
			OnEvent: func(text string) { fmt.Fprintln(cmd.OutOrStdout(), text) }}
		return h.Run(cmd.Context())
	})
	return cmd
}

// offered returns the boards that the flags select, by default all that are plugged in.
func offered(transports, names, faults []string) (boards []*host.Board, err error) {
	if len(transports) == 0 {
		for _, p := range demoboard.PluggedInBoards() {
			transports = append(transports, "rp2040:"+p.Name)
		}
	}
	if len(transports) == 0 {
		return nil, failure.Usagef("no board is plugged in: name targets with -t, such as -t gpio or -t mock")
	}
	if len(names) > len(transports) {
		return nil, failure.Usagef("--name is given %d times and -t %d times: at most one for each", len(names),
			len(transports))
	}
	taken := map[string]bool{}
	for i, transport := range transports {
		t := native.NewTarget(transport)
		k, _, err := t.FindKind()
		if err != nil {
			return nil, err
		}
		if k.Recorded || k.RunsForeignCode {
			return nil, failure.Usagef("-t %s: a lab has boards and mocks; %s runs on the user's machine", transport,
				k.Name)
		}
		if k.IsModel {
			t.Faults = faults
		}
		if err := t.Check(); err != nil {
			return nil, err
		}
		name := k.Name
		for n := 2; taken[name]; n++ {
			name = k.Name + "-" + strconv.Itoa(n)
		}
		if i < len(names) {
			name = names[i]
		}
		if err := lab.CheckName("--name", name); err != nil {
			return nil, err
		}
		if taken[name] {
			return nil, failure.Usagef("two boards would be called %s: give each a --name", name)
		}
		taken[name] = true
		boards = append(boards, &host.Board{Name: name, Target: t})
	}
	return boards, nil
}

func newBoards() *cobra.Command {
	var stop string
	cmd := &cobra.Command{
		Use:   "boards",
		Short: "List the lab's boards",
		Long: `boards lists the boards that are announced. One that is not has been silent for 10 seconds: a job that it
ran is repeated when its host is back.`,
		Example: `  benchlab boards
  benchlab boards --stop pi1.left`,
	}
	cmd.Flags().StringVar(&stop, "stop", "", "end what this `HOST.BOARD` runs; its job is an ERROR, or repeated once")
	inLab(cmd, func(cmd *cobra.Command, _ []string, s *lab.Store) error {
		if stop != "" {
			at, board, is := strings.Cut(stop, ".")
			if !is {
				return failure.Usagef("--stop %s: has to be HOST.BOARD", stop)
			}
			err := s.Conn.Publish(lab.StopSubject(at, board), nil)
			return lab.Explain(cmp.Or(err, s.Conn.FlushTimeout(time.Minute)))
		}
		all, err := user.Boards(cmd.Context(), s)
		if err != nil {
			return err
		}
		t := printable.NewTable()
		for _, b := range all {
			t.Row(b.String(), b.Kind, b.State, b.Since.Local().Format(time.TimeOnly), cmp.Or(b.Job, b.Reason))
		}
		if len(all) == 0 {
			t.Row("no board is announced: benchlab join offers the boards of a machine")
		}
		return t.Write(cmd.OutOrStdout())
	})
	return cmd
}

func newFetch() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "fetch RUN",
		Short: "Fetch a run's results and recordings",
		Long: `fetch writes the recording of each job of a run, RUN.N-HOST.BOARD.rec, for bench report, diagnose and
diff, and prints the results. What is not there any more is said.`,
		Example: `  benchlab fetch 7x2k9a --out runs`,
	}
	cmd.Flags().StringVar(&out, "out", ".", "`FOLDER` to write into")
	inLab(cmd, func(cmd *cobra.Command, args []string, s *lab.Store) error {
		all, err := user.Results(cmd.Context(), s, args[0])
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return failure.Usagef("the lab has no result of the run %s", args[0])
		}
		if err := os.MkdirAll(out, 0o777); err != nil {
			return failure.Usagef("--out: %w", err)
		}
		t := printable.NewTable()
		for _, r := range all {
			t.Row(r.Job, r.Host+"."+r.Board, cmp.Or(r.Verdict, "running"), r.Text)
		}
		_ = t.Write(cmd.OutOrStdout()) // the output returns its error to the command
		for i := range all {
			r := &all[i]
			if r.Recording == "" || lab.CheckName("a host", r.Host) != nil || lab.CheckName("a board", r.Board) != nil {
				continue
			}
			if ferr := user.Fetch(cmd.Context(), s, r, out+"/"+r.Job+"-"+r.Host+"."+r.Board+".rec"); ferr != nil {
				err = ferr
				fmt.Fprintf(cmd.ErrOrStderr(), "benchlab: %v\n", ferr)
			}
		}
		return failure.New(failure.Bench, err)
	})
	return cmd
}

func newPage() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "page",
		Short: "Show the lab in a browser of this machine",
		Long: `page serves a page to browsers of this machine until Ctrl-C: the boards, what is wrong first, the
progress of their jobs, and reports of results. Its address has a secret.`,
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "`HOST:PORT` to listen on, of this machine only")
	inLab(cmd, func(cmd *cobra.Command, _ []string, s *lab.Store) error {
		p := page.Page{Store: s, Version: version()}
		return p.Serve(cmd.Context(), listen, func(address string) { fmt.Fprintln(cmd.OutOrStdout(), address) })
	})
	return cmd
}
