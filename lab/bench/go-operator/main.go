// The twin of ../memcached-operator.js, written with controller-runtime: one Deployment for each Memcached, then the
// status. go-operator [--concurrent N]
package main

import (
	"flag"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	concurrent := flag.Int("concurrent", 1, "reconciles at a time")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	types := runtime.NewScheme()
	exit(clientscheme.AddToScheme(types))
	exit(schemeBuilder.AddToScheme(types))
	mgr, err := ctrl.NewManager(withoutLimit(ctrl.GetConfigOrDie()), ctrl.Options{
		Scheme:  types,
		Metrics: server.Options{BindAddress: "127.0.0.1:0"},
	})
	exit(err)
	exit(setUp(mgr, *concurrent))
	exit(mgr.Start(ctrl.SetupSignalHandler()))
}

// Neither twin limits its own requests.
func withoutLimit(config *rest.Config) *rest.Config {
	config.QPS = -1
	return config
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
