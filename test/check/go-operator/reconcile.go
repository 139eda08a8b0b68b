package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const (
	finalizer      = "check.example.com/registration"
	registry       = "cache-system"
	nameLabel      = "check.example.com/name"
	namespaceLabel = "check.example.com/namespace"
)

// Reconciler brings the objects of a cache into being, and registers it in another namespace.
type Reconciler struct {
	client.Client
	Live    client.Reader
	bug     string
	renewed map[string]bool
}

func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	cache := &Cache{}
	if err := r.Get(ctx, request.NamespacedName, cache); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if cache.DeletionTimestamp != nil {
		return ctrl.Result{}, r.finalize(ctx, cache)
	}
	if controllerutil.AddFinalizer(cache, finalizer) {
		if err := r.Update(ctx, cache); err != nil {
			return ctrl.Result{}, err
		}
	}
	for _, ensure := range []func(context.Context, *Cache) error{
		r.ensureRegistration, r.ensureConfig, r.ensureSecret, r.ensureClaim, r.ensureService, r.ensureDeployment,
	} {
		if err := ensure(ctx, cache); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, r.reportStatus(ctx, cache)
}

func (r *Reconciler) finalize(ctx context.Context, cache *Cache) error {
	registration := &corev1.ConfigMap{ObjectMeta: registrationOf(cache)}
	if err := r.Delete(ctx, registration); client.IgnoreNotFound(err) != nil {
		return err
	}
	if !controllerutil.RemoveFinalizer(cache, finalizer) {
		return nil
	}
	return client.IgnoreNotFound(r.Update(ctx, cache))
}

func (r *Reconciler) ensureRegistration(ctx context.Context, cache *Cache) error {
	entry := &corev1.ConfigMap{ObjectMeta: registrationOf(cache)}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, entry, func() error {
		entry.Labels = map[string]string{nameLabel: cache.Name, namespaceLabel: cache.Namespace}
		entry.Data = map[string]string{"address": fmt.Sprintf("%s.%s:%d", cache.Name, cache.Namespace, cache.Spec.Port)}
		return nil
	})
	return err
}

func (r *Reconciler) ensureConfig(ctx context.Context, cache *Cache) error {
	config := &corev1.ConfigMap{ObjectMeta: named(cache, "-config")}
	return r.ensure(ctx, cache, config, func() { config.Data = map[string]string{"cache.conf": r.configOf(cache)} })
}

func (r *Reconciler) ensureSecret(ctx context.Context, cache *Cache) error {
	secret := &corev1.Secret{ObjectMeta: named(cache, "-auth")}
	if r.bug == "create-without-get" && len(cache.Status.Conditions) == 0 {
		secret.Data = map[string][]byte{"password": newPassword()}
		if err := controllerutil.SetControllerReference(cache, secret, r.Scheme()); err != nil {
			return err
		}
		if err := r.Create(ctx, secret); err != nil {
			return fmt.Errorf("creating the password: %w", err)
		}
		return nil
	}
	return r.ensure(ctx, cache, secret, func() {
		isOld := r.bug == "password-renewed-at-start" && !r.renewed[string(cache.UID)]
		if secret.Data == nil || isOld {
			secret.Data = map[string][]byte{"password": newPassword()}
			r.renewed[string(cache.UID)] = true
		}
	})
}

func (r *Reconciler) ensureClaim(ctx context.Context, cache *Cache) error {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: named(cache, "-data")}
	return r.ensure(ctx, cache, claim, func() {
		if claim.Spec.AccessModes != nil {
			return
		}
		claim.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(cache.Spec.Storage.Size)}
	})
}

func (r *Reconciler) ensureService(ctx context.Context, cache *Cache) error {
	service := &corev1.Service{ObjectMeta: named(cache, "")}
	return r.ensure(ctx, cache, service, func() {
		service.Spec.Selector = labelsOf(cache)
		if len(service.Spec.Ports) != 1 {
			service.Spec.Ports = []corev1.ServicePort{{Name: "cache"}}
		}
		service.Spec.Ports[0].Port = cache.Spec.Port
		service.Spec.Ports[0].TargetPort = intstr.FromInt32(cache.Spec.Port)
	})
}

func (r *Reconciler) ensureDeployment(ctx context.Context, cache *Cache) error {
	deployment := &appsv1.Deployment{ObjectMeta: named(cache, "")}
	return r.ensure(ctx, cache, deployment, func() {
		spec := &deployment.Spec
		if spec.Selector != nil && r.bug == "created-but-never-updated" {
			return
		}
		if spec.Selector == nil {
			spec.Selector = &metav1.LabelSelector{MatchLabels: labelsOf(cache)}
			spec.Template.Labels = labelsOf(cache)
			spec.Template.Spec.Containers = []corev1.Container{{Name: "cache", Image: "memcached:1.6-alpine"}}
		}
		replicas := replicasOf(cache)
		spec.Replicas = &replicas
		memory := int32(64)
		if cache.Spec.MemoryMB != nil {
			memory = *cache.Spec.MemoryMB
		}
		spec.Template.Annotations = map[string]string{"check.example.com/config": hex.EncodeToString([]byte(r.configOf(cache)))}
		spec.Template.Spec.Containers[0].Args = []string{fmt.Sprintf("-m=%d", memory), fmt.Sprintf("-p=%d", cache.Spec.Port)}
	})
}

// ensure creates or updates an object that belongs to a cache.
func (r *Reconciler) ensure(ctx context.Context, cache *Cache, object client.Object, shape func()) error {
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, object, func() error {
		shape()
		return controllerutil.SetControllerReference(cache, object, r.Scheme())
	})
	return err
}

func (r *Reconciler) reportStatus(ctx context.Context, cache *Cache) error {
	deployment := &appsv1.Deployment{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(cache), deployment); client.IgnoreNotFound(err) != nil {
		return err
	}
	before := cache.Status.Conditions
	status := CacheStatus{
		ObservedGeneration: cache.Generation,
		ReadyReplicas:      deployment.Status.ReadyReplicas,
		Conditions:         slices.Clone(before),
	}
	available := metav1.Condition{Type: "Available", Status: metav1.ConditionFalse, Reason: "Waiting", ObservedGeneration: cache.Generation}
	available.Message = fmt.Sprintf("%d of %d replicas are ready", status.ReadyReplicas, replicasOf(cache))
	if status.ReadyReplicas >= replicasOf(cache) {
		available.Status, available.Reason = metav1.ConditionTrue, "Ready"
	}
	meta.SetStatusCondition(&status.Conditions, available)
	if equality.Semantic.DeepEqual(cache.Status, status) {
		return nil
	}
	cache.Status = status
	return r.Status().Update(ctx, cache)
}

// deleteOrphans deletes the claims whose cache does not exist: as its own cache shows, which may be old.
func (r *Reconciler) deleteOrphans(ctx context.Context) error {
	claims := &corev1.PersistentVolumeClaimList{}
	if err := r.Live.List(ctx, claims, client.InNamespace("default")); err != nil {
		return err
	}
	for _, claim := range claims.Items {
		key := client.ObjectKey{Namespace: claim.Namespace, Name: strings.TrimSuffix(claim.Name, "-data")}
		if err := r.Get(ctx, key, &Cache{}); !errors.IsNotFound(err) {
			continue
		}
		if err := r.Delete(ctx, &claim); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

func (r *Reconciler) configOf(cache *Cache) string {
	eviction := cache.Spec.Eviction
	if eviction == "" {
		eviction = "none"
	}
	monitoring := false
	if cache.Spec.Monitoring != nil || r.bug == "nil-monitoring" {
		monitoring = cache.Spec.Monitoring.Enabled
	}
	lines := []string{"eviction=" + eviction, fmt.Sprintf("monitoring=%t", monitoring)}
	for _, key := range slices.Sorted(maps.Keys(cache.Spec.Settings)) {
		lines = append(lines, key+"="+cache.Spec.Settings[key])
	}
	return strings.Join(lines, "\n")
}

func replicasOf(cache *Cache) int32 {
	if cache.Spec.Replicas == nil {
		return 1
	}
	return *cache.Spec.Replicas
}

func registrationOf(cache *Cache) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: registry, Name: cache.Namespace + "." + cache.Name}
}

func named(cache *Cache, suffix string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: cache.Namespace, Name: cache.Name + suffix}
}

func labelsOf(cache *Cache) map[string]string {
	return map[string]string{"app.kubernetes.io/name": "cache", "app.kubernetes.io/instance": cache.Name}
}

func newPassword() []byte {
	bytes := make([]byte, 12)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return []byte(hex.EncodeToString(bytes))
}
