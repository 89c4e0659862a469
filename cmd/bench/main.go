// Bench tests fabricated chips: it runs golden vectors and compares every step with a reference.
//
// A command is a file, with its flags and exit codes. Package station opens the chip; the packages behind a command
// decide and word the result. Files that are no command hold what several commands share.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/station/native"
	"utfbench/tile/project"
	"utfbench/transport/rp2040/demoboard"
)

// benchFault marks an error that says nothing about the chip.
func benchFault(err error) error { return failure.New(failure.Bench, err) }

func main() {
	if native.RunGuard() {
		return
	}
	crashed := func(p *failure.Panic) {
		cli.ReportPanic(os.Stderr, p, versionLine())
		os.Exit(failure.ExitCode(p))
	}
	defer func() {
		if value := recover(); value != nil {
			crashed(failure.NewPanic(value))
		}
	}()
	failure.HandlePanics(crashed)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE) // a reader that left is an error of the write, after which the chip is parked
	// A second signal ends the program at once, for a transport that does not come back.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, &cli.Output{File: os.Stdout}, os.Stderr))
}

// run executes a command line about the usual design, or the one that it names, and returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return usualDesign().run(ctx, args, in, out, errOut)
}

func (d *design) run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	defer d.close()
	cmd := newRoot(d)
	cmd.SetArgs(args)
	cmd.SetIn(in)
	cmd.SetOut(out)
	cmd.SetErr(errOut)
	cmd.InitDefaultCompletionCmd() // which keeps the output
	cli.SetArgumentChecks(cmd, noArguments)
	ran, err := cmd.ExecuteContextC(ctx)
	if s, is := out.(*cli.Output); is {
		err = s.End(err)
	}
	if err == nil {
		return 0
	}
	marked, is := errors.AsType[*failure.Error](err)
	if ctx.Err() != nil && !is || errors.Is(err, context.Canceled) && !(is && marked.Kind == failure.Interrupted) {
		err = failure.Newf(failure.Interrupted, "stopped") // by Ctrl-C, and nobody knows more
	}
	if !failure.IsAlreadyPrinted(err) {
		fmt.Fprintf(errOut, "bench: %s\n", printable.Lines(cli.ExplainOrigins(err.Error(), ran.Flags())))
	}
	return failure.ExitCode(err)
}

// exitCodes describes the exit codes of a run.
const exitCodes = "Exit codes: 0 PASS; 1 FAIL, the chip or a wire is at fault; 4 the wiring is at fault, and the " +
	"chip was not judged; 5 nothing was selected; 6 FLAKY, it fails now and then; 7 WEAK, nothing differs, but too " +
	"little was compared."

func newRoot(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench [COMMAND]",
		Short: "Tell whether a fabricated chip is right",
		Long: "bench runs vectors against a fabricated chip, compares every step with a reference, and says what " +
			"differs. See bench help COMMAND, bench explain WORD.",
		Version:       versionLine(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArguments,
		RunE:          func(cmd *cobra.Command, _ []string) error { return overview(cmd.OutOrStdout()) },
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := takeSettings(cmd); err != nil {
				return err
			}
			if err := checkFiles(cmd, args); err != nil {
				return err
			}
			return d.open(cmd)
		},
	}
	cmd.SetVersionTemplate("{{.Version}}\n")
	group := func(id string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = id
			cmd.AddCommand(c)
		}
	}
	group("chip", newRun(d), newExplore(d), newLoop(d), newShuttle(d), newDoctor(d), newWiring(d), newDemo(), newWeb())
	group("look", newDiagnose(d), newMinimise(d), newReport(d), newHistory(), newDiff(d), newBundle(d))
	group("prove", newImport(d), newExport(d), newCocotb(d), newSweep(d), newShmoo(d), newTiming(d),
		newCapture(d), newCoverage(d))
	group("board", newBoard(), newDesigns(), newPark(d))
	group("more", newTile(d), newVectors(d), newExplain(d), newStep(d))
	cmd.AddGroup(commandGroups...)
	cmd.CompletionOptions.HiddenDefaultCmd = true
	cmd.SetFlagErrorFunc(cli.FlagError)
	cli.RejectUnknownCommands(cmd)
	flagGroups.SetHelp(cmd)
	return cmd
}

// release is the version of a released binary, and commit its source: -ldflags "-X main.release=1.0.0 -X
// main.commit=...".
var release, commit = "", ""

func version() string     { return files.Build{Release: release, Commit: commit}.Version() }
func versionLine() string { return files.Build{Release: release, Commit: commit}.Description("bench") }

// findBoards lists the boards that are plugged in, and opens no port.
var findBoards = demoboard.PluggedInBoards

// overview prints the boards, simulators and runs on this machine, and next steps. It opens nothing but the history.
func overview(w io.Writer) error {
	m := native.Machine{Boards: findBoards(), Simulators: native.InstalledSimulators()}
	if m.InTile = project.FromSources(nil) != nil; len(m.Boards) == 0 {
		m.Hindrances = demoboard.Hindrances()
	}
	m.Latest, m.History = new(history.Finder).Latest()
	m.Write(w)
	report.WriteSuggestions(w, m.Suggestions())
	return nil
}

// byDefault reports whether a command runs on the mock only because no target was named. A fault implies the mock.
func byDefault(cmd *cobra.Command) bool {
	t, fault := cmd.Flags().Lookup("transport"), cmd.Flags().Lookup("fault")
	return !t.Changed && t.Value.String() == t.DefValue && cli.Origin(t) == "" && !fault.Changed
}
