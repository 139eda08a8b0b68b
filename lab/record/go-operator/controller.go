package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const finalizer = "differential.example.com/finalizer"

type reconciler struct {
	client.Client
	events events.EventRecorder
}

func setUpController(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), events: mgr.GetEventRecorder("memcached-controller")}
	return ctrl.NewControllerManagedBy(mgr).
		For(&Memcached{}).
		Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{ReconciliationTimeout: 2 * time.Second}).
		Complete(r)
}

// Reconcile returns the result that spec.mode selects; without a mode it keeps a Deployment and the status.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var memcached Memcached
	if err := r.Get(ctx, req.NamespacedName, &memcached); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switch memcached.Spec.Mode {
	case "error":
		return ctrl.Result{}, errors.New("it went wrong")
	case "error-and-result":
		return ctrl.Result{RequeueAfter: time.Hour}, errors.New("it went wrong")
	case "terminal":
		return ctrl.Result{}, reconcile.TerminalError(errors.New("it will never work"))
	case "panic":
		panic("out of order")
	case "slow":
		<-ctx.Done()
		return ctrl.Result{}, ctx.Err()
	case "requeue-after":
		return ctrl.Result{RequeueAfter: time.Hour}, nil
	case "log":
		ctrl.LoggerFrom(ctx).Info("Working", "size", memcached.Spec.Size, "object", &memcached)
		return ctrl.Result{}, nil
	}
	if !memcached.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(&memcached, finalizer) {
			return ctrl.Result{}, r.Update(ctx, &memcached)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(&memcached, finalizer) {
		if err := r.Update(ctx, &memcached); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.ensureDeployment(ctx, &memcached); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.reportStatus(ctx, &memcached)
}

func (r *reconciler) ensureDeployment(ctx context.Context, memcached *Memcached) error {
	var deployment appsv1.Deployment
	err := r.Get(ctx, client.ObjectKeyFromObject(memcached), &deployment)
	if apierrors.IsNotFound(err) {
		wanted := deploymentFor(memcached)
		if err := controllerutil.SetControllerReference(memcached, wanted, r.Scheme()); err != nil {
			return err
		}
		if err := r.Create(ctx, wanted); err != nil {
			return client.IgnoreAlreadyExists(err)
		}
		r.events.Eventf(memcached, nil, corev1.EventTypeNormal, "Created", "Create", "made Deployment %s", wanted.Name)
		return nil
	}
	if err != nil || *deployment.Spec.Replicas == memcached.Spec.Size {
		return err
	}
	before := deployment.DeepCopy()
	deployment.Spec.Replicas = &memcached.Spec.Size
	return r.Patch(ctx, &deployment, client.MergeFrom(before))
}

func (r *reconciler) reportStatus(ctx context.Context, memcached *Memcached) error {
	var nodes []string
	for index := range memcached.Spec.Size {
		nodes = append(nodes, fmt.Sprintf("%s-%d", memcached.Name, index))
	}
	changed := meta.SetStatusCondition(&memcached.Status.Conditions, metav1.Condition{
		Type: "Available", Status: metav1.ConditionTrue, Reason: "Reconciled", Message: "all is well",
		ObservedGeneration: memcached.Generation,
	})
	if !changed && slices.Equal(nodes, memcached.Status.Nodes) {
		return nil
	}
	memcached.Status.Nodes = nodes
	return r.Status().Update(ctx, memcached)
}

func deploymentFor(memcached *Memcached) *appsv1.Deployment {
	labels := map[string]string{"app": memcached.Name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: memcached.Namespace, Name: memcached.Name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: &memcached.Spec.Size,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "memcached", Image: "memcached:1.6"}}},
			},
		},
	}
}
