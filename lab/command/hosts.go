package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/document"
	"utfbench/lab/server"
	"utfbench/transport/lab"
)

func (p *program) newHosts() *cobra.Command {
	var data folder
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "hosts",
		Short: "List the keys of a lab and its connected hosts",
		Long: `hosts lists the keys of a lab, when they were made, and whether each is a host that now offers boards.
It reads the keys from the folder of --data, and queries the server with the first invitation. Without
a response the connected hosts are unknown, and the reason is on standard error.

Exit codes: 0 listed, 2 bad input.`,
		Args: cli.Takes(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := data.Folder()
			if err != nil {
				return err
			}
			hosts, unknown, err := labHosts(cmd.Context(), folder)
			if err != nil {
				return err
			}
			if unknown != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "note: the connected hosts are not known: %v\n", unknown)
			}
			if asJSON {
				return document.Write(cmd.OutOrStdout(), struct {
					document.Head
					Hosts []labHost `json:"hosts"`
				}{document.NewHead(p.Version()), hosts})
			}
			return printHosts(cmd.OutOrStdout(), hosts)
		},
	}
	data.flag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as one JSON object, for other programs; see docs/formats.md")
	return cmd
}

// A labHost is a key and, if known, its host's state.
type labHost struct {
	Name    string    `json:"host"`
	Invited time.Time `json:"invited"`
	Here    *bool     `json:"here"` // null if the server does not respond
	Machine string    `json:"machine,omitempty"`
	Version string    `json:"version,omitempty"`
	Boards  int       `json:"boards"`
}

// labHosts joins the keys with the server's list of hosts; unknown is the reason for a missing list.
func labHosts(ctx context.Context, folder string) (hosts []labHost, unknown, err error) {
	keys, err := server.ReadKeys(folder)
	if err != nil {
		return nil, nil, err
	}
	there, unknown := askHosts(ctx, folder)
	hosts = []labHost{}
	for _, k := range keys {
		h := labHost{Name: k.Name, Invited: k.Made}
		if unknown == nil {
			h.Here = new(bool)
		}
		if at := slices.IndexFunc(there, func(t lab.Host) bool { return t.Name == k.Name }); at >= 0 {
			t := there[at]
			*h.Here, h.Machine, h.Version, h.Boards = t.Here, t.Machine, t.Bench, t.Boards
		}
		hosts = append(hosts, h)
	}
	return hosts, unknown, nil
}

// askHosts queries the server of a folder with its first invitation.
func askHosts(ctx context.Context, folder string) ([]lab.Host, error) {
	inv, err := lab.ReadInvitation(server.InviteFile(folder))
	if err != nil {
		return nil, err
	}
	conn, err := lab.Dial(ctx, inv)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return conn.Hosts(ctx)
}

func printHosts(w io.Writer, hosts []labHost) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "host\tinvited\tis there\tboards\tmachine\tbench")
	for _, h := range hosts {
		here := "not known"
		if h.Here != nil {
			here = map[bool]string{true: "yes", false: "no"}[*h.Here]
		}
		boards := "-"
		if h.Boards > 0 {
			boards = fmt.Sprint(h.Boards)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", h.Name, h.Invited.Local().Format("2006-01-02 15:04"), here,
			boards, cmp.Or(h.Machine, "-"), cmp.Or(h.Version, "-"))
	}
	return table.Flush()
}
