// Starts cert-manager's controllers of Certificates, without ACME: the program of its repository is not a part of its Go module.
package main

import (
	"context"
	"os"

	"github.com/cert-manager/cert-manager/pkg/controller"
	"github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	requestsca "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	requestsselfsigned "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	"github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
	logf "github.com/cert-manager/cert-manager/pkg/logs"
)

func main() {
	logf.InitLogs()
	ctx := logf.NewContext(context.Background(), logf.Log, "controller")
	// The settings are the defaults of that program: an hour and 32 hours, in nanoseconds.
	factory, err := controller.NewContextFactory(ctx, controller.ContextOptions{
		Kubeconfig:         os.Getenv("KUBECONFIG"),
		KubernetesAPIQPS:   20,
		KubernetesAPIBurst: 50,
		CertificateOptions: controller.CertificateOptions{
			CopiedAnnotationPrefixes:                 []string{"*", "-kubectl.kubernetes.io/", "-fluxcd.io/", "-argocd.argoproj.io/"},
			CertificateRequestMinimumBackoffDuration: 3600e9,
			CertificateRequestMaximumBackoffDuration: 115200e9,
		},
	})
	check(err)
	shared, err := factory.Build()
	check(err)

	done := make(chan error)
	for _, name := range []string{
		issuers.ControllerName, approver.ControllerName, requestsca.CRControllerName, requestsselfsigned.CRControllerName,
		trigger.ControllerName, issuing.ControllerName, keymanager.ControllerName, requestmanager.ControllerName,
		readiness.ControllerName, revisionmanager.ControllerName,
	} {
		loop, err := controller.Known()[name](factory)
		check(err)
		go func() { done <- loop.Run(5, ctx) }()
	}
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	check(<-done)
}

func check(err error) {
	if err != nil {
		logf.Log.Error(err, "cert-manager ends")
		os.Exit(1)
	}
}
