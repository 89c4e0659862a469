package user_test

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"

	"utfbench/internal/testkit"
	"utfbench/lab"
	"utfbench/lab/labtest"
	"utfbench/lab/user"
)

// free returns free ports of this machine.
func free(t *testing.T, n int) (ports []int) {
	for range n {
		l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// In a cluster of three nodes no job is lost if the leader of the jobs' stream is shut down under load.
func TestCluster(t *testing.T) {
	testkit.SkipUnlessFull(t)
	ports := free(t, 6)
	var routes []*url.URL
	for _, port := range ports[3:] {
		routes = append(routes, testkit.Must(url.Parse(fmt.Sprintf("nats://127.0.0.1:%d", port)))(t))
	}
	nodes, urls := map[string]*natsd.Server{}, []string{}
	for n := range 3 {
		o := &natsd.Options{ServerName: fmt.Sprint("n", n), Host: "127.0.0.1", Port: ports[n], JetStream: true,
			StoreDir: t.TempDir(), NoSigs: true, NoLog: true, Routes: routes,
			Cluster: natsd.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: ports[3+n]}}
		s := testkit.Must(natsd.NewServer(o))(t)
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		nodes[o.ServerName], urls = s, append(urls, fmt.Sprintf("nats://127.0.0.1:%d", ports[n]))
	}
	enter := func(name string) *lab.Store {
		nc := testkit.Must(lab.DialNATS(strings.Join(urls, ","), "", name))(t)
		t.Cleanup(nc.Close)
		for end := time.Now().Add(2 * time.Minute); ; time.Sleep(200 * time.Millisecond) { // until there is a leader
			err := lab.Create(t.Context(), nc, lab.Sizes{Replicas: 3, Inputs: 16 << 20, Recordings: 16 << 20})
			if err == nil {
				break
			}
			if time.Now().After(end) {
				t.Fatal(err)
			}
		}
		return testkit.Must(lab.Open(t.Context(), nc))(t)
	}
	l := &labtest.Lab{T: t}
	l.Join("pi1", enter("pi1"), labtest.Mocks("", "", ""))
	s := enter("alice")
	r := user.Run{Store: s, Name: "cluster", Boards: l.AwaitBoards(s, 3), Count: 30, Job: lab.Job{Tile: "utf",
		Suites: []string{"structural"}, Count: 1, Timeout: time.Minute, Seed: 1}}
	n := 0
	r.OnResult = func(lab.Result) {
		if n++; n != 10 {
			return
		}
		jobs := testkit.Must(s.JetStream.Stream(t.Context(), lab.JobsStream))(t)
		leader := nodes[testkit.Must(jobs.Info(t.Context()))(t).Cluster.Leader]
		leader.Shutdown()
	}
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	results, err := r.Wait(t.Context())
	if err != nil || len(results) != 90 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for _, one := range results {
		if one.Verdict != "PASS" {
			t.Errorf("%+v", one)
		}
	}
}
