package main

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
)

type reconciler struct {
	client.Client
}

func setUp(mgr ctrl.Manager, concurrent int) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Memcached{}).
		Owns(&appsv1.Deployment{}).
		Named("memcached").
		WithOptions(controller.Options{MaxConcurrentReconciles: concurrent}).
		Complete(&reconciler{mgr.GetClient()})
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var memcached Memcached
	if err := r.Get(ctx, request.NamespacedName, &memcached); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if memcached.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	if err := r.ensureDeployment(ctx, &memcached); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.reportStatus(ctx, &memcached)
}

func (r *reconciler) ensureDeployment(ctx context.Context, memcached *Memcached) error {
	var found appsv1.Deployment
	err := r.Get(ctx, client.ObjectKeyFromObject(memcached), &found)
	if apierrors.IsNotFound(err) {
		wanted := deploymentFor(memcached)
		if err := ctrl.SetControllerReference(memcached, wanted, r.Scheme()); err != nil {
			return err
		}
		return client.IgnoreAlreadyExists(r.Create(ctx, wanted))
	}
	if err != nil || *found.Spec.Replicas == memcached.Spec.Size {
		return err
	}
	found.Spec.Replicas = &memcached.Spec.Size
	return r.Update(ctx, &found)
}

func (r *reconciler) reportStatus(ctx context.Context, memcached *Memcached) error {
	var nodes []string
	for i := range memcached.Spec.Size {
		nodes = append(nodes, fmt.Sprintf("%s-%d", memcached.Name, i))
	}
	changed := meta.SetStatusCondition(&memcached.Status.Conditions, metav1.Condition{
		Type:               "Available",
		Status:             metav1.ConditionTrue,
		Reason:             "Reconciled",
		Message:            fmt.Sprintf("Deployment has %d replicas", memcached.Spec.Size),
		ObservedGeneration: memcached.Generation,
	})
	if !changed && slices.Equal(memcached.Status.Nodes, nodes) {
		return nil
	}
	memcached.Status.Nodes = nodes
	return r.Status().Update(ctx, memcached)
}

func deploymentFor(memcached *Memcached) *appsv1.Deployment {
	labels := map[string]string{
		"app.kubernetes.io/name":     "memcached",
		"app.kubernetes.io/instance": memcached.Name,
	}
	nonRoot := true
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: memcached.Name, Namespace: memcached.Namespace, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: &memcached.Spec.Size,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					SecurityContext: &corev1.PodSecurityContext{RunAsNonRoot: &nonRoot},
					Containers: []corev1.Container{{
						Name:    "memcached",
						Image:   "memcached:1.6-alpine",
						Command: []string{"memcached", "-m=64", "-o", "modern", "-v"},
						Ports:   []corev1.ContainerPort{{Name: "memcached", ContainerPort: 11211}},
					}},
				},
			},
		},
	}
}
