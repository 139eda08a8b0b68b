// Command go-operator is an operator on controller-runtime that the tests compare with tsop's runtime.
// test/conformance/runtime/differential starts it with TSOP_RECORD=1, in addition to the TypeScript twin.
package main

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

func main() {
	health := flag.String("health-probe-bind-address", "0", "health server")
	metrics := flag.String("metrics-bind-address", "0", "metrics server")
	elect := flag.Bool("leader-elect", false, "leader election")
	certDir := flag.String("webhook-cert-path", "", "folder of tls.crt and tls.key; turns the webhooks on")
	port := flag.Int("webhook-port", 0, "webhook server")
	leaseDuration := flag.Duration("lease-duration", 15*time.Second, "leader election")
	renewDeadline := flag.Duration("renew-deadline", 10*time.Second, "leader election")
	retryPeriod := flag.Duration("retry-period", 2*time.Second, "leader election")
	release := flag.Bool("leader-elect-release-on-cancel", false, "leader election")
	zapOptions := zap.Options{}
	zapOptions.BindFlags(flag.CommandLine)
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&zapOptions)))

	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	addKinds(scheme)
	options := ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       metricsserver.Options{BindAddress: *metrics},
		HealthProbeBindAddress:        *health,
		LeaderElection:                *elect,
		LeaderElectionID:              "differential.example.com",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: *release,
		LeaseDuration:                 leaseDuration,
		RenewDeadline:                 renewDeadline,
		RetryPeriod:                   retryPeriod,
	}
	if *certDir != "" {
		options.WebhookServer = webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: *port, CertDir: *certDir})
	}
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), options)
	exitOn(err, "unable to make the manager")
	exitOn(setUpController(mgr), "unable to make the controller")
	if *certDir != "" {
		exitOn(setUpWebhooks(mgr), "unable to make the webhooks")
	}
	exitOn(mgr.AddHealthzCheck("ping", healthz.Ping), "unable to add a check")
	exitOn(mgr.AddReadyzCheck("fine", healthz.Ping), "unable to add a check")
	exitOn(mgr.AddReadyzCheck("broken", func(*http.Request) error { return errors.New("it is broken") }), "unable to add a check")
	exitOn(mgr.Start(ctrl.SetupSignalHandler()), "the manager failed")
}

func exitOn(err error, message string) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	ctrl.Log.WithName("setup").Error(err, message)
	os.Exit(1)
}
