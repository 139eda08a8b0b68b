// A correct operator for the ground truth of `tsop check`, written with controller-runtime, and variants of it with
// one bug each: go-operator [--bug NAME]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// The bugs that --bug takes; go-operator.test.ts says how each is found.
var bugs = []string{
	"none",
	"orphans-deleted-at-start",
	"password-renewed-at-start",
	"owned-kind-not-watched",
	"nil-monitoring",
	"created-but-never-updated",
	"create-without-get",
}

func main() {
	bug := flag.String("bug", "none", "the bug of this variant")
	flag.Parse()
	if !slices.Contains(bugs, *bug) {
		exit(fmt.Errorf("there is no bug %q", *bug))
	}
	ctrl.SetLogger(zap.New())
	types := runtime.NewScheme()
	exit(clientscheme.AddToScheme(types))
	exit(schemeBuilder.AddToScheme(types))
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                  types,
		Metrics:                 server.Options{BindAddress: "0"},
		LeaderElection:          true,
		LeaderElectionID:        "cache.check.example.com",
		LeaderElectionNamespace: registry,
	})
	exit(err)
	reconciler := &Reconciler{Client: mgr.GetClient(), Live: mgr.GetAPIReader(), bug: *bug, renewed: map[string]bool{}}
	exit(reconciler.setUp(mgr))
	exit(mgr.Start(ctrl.SetupSignalHandler()))
}

func (r *Reconciler) setUp(mgr ctrl.Manager) error {
	if r.bug == "orphans-deleted-at-start" {
		if err := mgr.Add(manager.RunnableFunc(r.deleteOrphans)); err != nil {
			return err
		}
	}
	controller := ctrl.NewControllerManagedBy(mgr).
		For(&Cache{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Owns(&corev1.PersistentVolumeClaim{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(registered))
	if r.bug != "owned-kind-not-watched" {
		controller.Owns(&corev1.Service{})
	}
	return controller.Complete(r)
}

// registered returns the cache whose registration an object is.
func registered(_ context.Context, object client.Object) []reconcile.Request {
	labels := object.GetLabels()
	if labels[nameLabel] == "" {
		return nil
	}
	key := client.ObjectKey{Namespace: labels[namespaceLabel], Name: labels[nameLabel]}
	return []reconcile.Request{{NamespacedName: key}}
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
