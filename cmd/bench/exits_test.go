package main

// exit codes, as documented in README.md
const (
	exitPass        = 0
	exitFail        = 1
	exitUsage       = 2
	exitBench       = 3
	exitWiring      = 4
	exitNothing     = 5
	exitFlaky       = 6
	exitWeak        = 7
	exitInterrupted = 130
)
