# scripts/test --full sources this file. It contains the tests that the default omits: the analyzers of vet and staticcheck, the
# race detector, FUZZCOUNT inputs (20000x) for each fuzz target, benchmarks, sweeps of all code points, all platforms, renaming
# the module, and the GPIO lines of a kernel booted in QEMU.

: "${FUZZCOUNT:=20000x}"

# sequential lists the packages that take minutes with the race detector and whose own tests start no goroutine.
sequential="cause/diagnose cause/timing runs/explain scripts station/survey tile tile/gates tile/gates/grade"

races() { # tests all packages except the commands and the sequential ones
	local packages
	packages=$(printf "$(go list -m)/%s\n" $sequential)
	CGO_ENABLED=1 BENCH_FULL='' tests -race $(go list ./... | grep -v /cmd/ | grep -vxF "$packages")
}

fuzz() { # -fuzztime is a count, since Go's fuzzer sometimes fails at the end of a duration
	local targets=0 package dir target count
	for package in $(go list ./...); do
		dir=${package#*/}
		[ "$dir" != "$package" ] || dir=.
		for target in $(grep -hos '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go | cut -c6-); do
			count=$FUZZCOUNT
			[ "$target" != FuzzVectorsOfARecording ] || count=500x # runs whole commands, 30 a second
			go test -vet=off -run '^$' -fuzz "^$target\$" -fuzztime "$count" -fuzzminimizetime 100x "$package"
			targets=$((targets + 1))
		done
	done
	[ "$targets" -eq "$(git grep -hE '^func Fuzz' -- '*_test.go' | wc -l)" ] || fail "$targets fuzz targets ran, and there are more"
}

builds_elsewhere() { # TestPlatforms has already checked the types
	local platform
	export CGO_ENABLED=0 GOARM=6 # for the first Raspberry Pi and the Zero
	for platform in linux/arm64 linux/arm darwin/arm64 windows/amd64; do
		GOOS=${platform%/*} GOARCH=${platform#*/} go build -tags page -gcflags='all=-N -l' -o /dev/null ./cmd/bench
		echo "builds for $platform"
	done
}

sweeps() {
	local bench=$work/bench
	CGO_ENABLED=0 go build -o "$bench" ./cmd/bench
	"$bench" run --no-history
	for space in codepoints ops bytes; do "$bench" sweep --space $space; done
}

say "analyzers"
go vet ./...
go tool staticcheck ./...
say "tests with the race detector"
if command -v gcc >/dev/null || command -v cc >/dev/null; then
	races
else
	untested+=("data races: there is no C compiler for the race detector")
fi
say "fuzzing, $FUZZCOUNT inputs each"
fuzz
say "the benchmarks still run"
go test -vet=off -run '^$' -bench . -benchtime 1x $(git grep -l '^func Benchmark' -- '*_test.go' | xargs dirname | sort -u | sed 's,^,./,')
say "the whole spaces, by the mock"
sweeps
say "platforms"
(builds_elsewhere)
say "the module under another path"
./scripts/rename --try example.org/utfbench
say "GPIO lines of a real kernel, in QEMU"
./scripts/test-gpio-sim || { [ $? = 75 ] && untested+=("the GPIO back-end \"lines\" against a real kernel: scripts/test-gpio-sim says above why"); } || exit 1
