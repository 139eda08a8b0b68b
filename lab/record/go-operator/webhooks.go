package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"gomodules.xyz/jsonpatch/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

func setUpWebhooks(mgr ctrl.Manager) error {
	mgr.GetWebhookServer().Register("/raw", &admission.Webhook{Handler: admission.HandlerFunc(answerByName)})
	hub := conversion.NewHubSpokeConverter(&HubMemcached{}, conversion.NewSpokeConverter(&Memcached{}, fromHub, toHub))
	if err := ctrl.NewWebhookManagedBy(mgr, &HubMemcached{}).WithConverter(hub).Complete(); err != nil {
		return err
	}
	return ctrl.NewWebhookManagedBy(mgr, &Memcached{}).WithDefaulter(defaulter{}).WithValidator(validator{}).Complete()
}

// answerByName demonstrates every helper for responses: the name of the object selects one.
func answerByName(_ context.Context, request admission.Request) admission.Response {
	switch request.Name {
	case "allowed":
		return admission.Allowed("")
	case "allowed-with-message":
		return admission.Allowed("fine")
	case "denied":
		return admission.Denied("not today")
	case "errored":
		return admission.Errored(http.StatusConflict, errors.New("somebody was faster"))
	case "patched":
		return admission.Patched("changed", jsonpatch.NewOperation("add", "/spec/size", 3), jsonpatch.NewOperation("remove", "/spec/mode", nil))
	case "patched-from":
		return admission.PatchResponseFromRaw([]byte(`{"spec":{"size":1}}`), []byte(`{"spec":{"size":2,"mode":"log"}}`))
	case "validation-allowed":
		return admission.ValidationResponse(true, "well done").WithWarnings("first", "second")
	default:
		return admission.ValidationResponse(false, "badly done").WithWarnings("first")
	}
}

func toHub(_ context.Context, spoke *Memcached, hub *HubMemcached) error {
	if spoke.Spec.Size > 100 {
		return fmt.Errorf("size %d is too large for v1", spoke.Spec.Size)
	}
	hub.ObjectMeta = *spoke.ObjectMeta.DeepCopy()
	hub.Spec.Replicas = spoke.Spec.Size
	return nil
}

func fromHub(_ context.Context, hub *HubMemcached, spoke *Memcached) error {
	spoke.ObjectMeta = *hub.ObjectMeta.DeepCopy()
	spoke.Spec.Size = hub.Spec.Replicas
	return nil
}

type defaulter struct{}

func (defaulter) Default(_ context.Context, memcached *Memcached) error {
	switch memcached.Spec.Mode {
	case "panic":
		panic("out of order")
	case "error":
		return errors.New("no default today")
	}
	if memcached.Spec.Size == 0 {
		memcached.Spec.Size = 3
	}
	return nil
}

type validator struct{}

func (validator) ValidateCreate(_ context.Context, memcached *Memcached) (admission.Warnings, error) {
	return validate(memcached)
}

func (validator) ValidateUpdate(_ context.Context, old, memcached *Memcached) (admission.Warnings, error) {
	if memcached.Spec.Size < old.Spec.Size {
		return nil, fmt.Errorf("size must not shrink from %d to %d", old.Spec.Size, memcached.Spec.Size)
	}
	return validate(memcached)
}

func (validator) ValidateDelete(_ context.Context, memcached *Memcached) (admission.Warnings, error) {
	if memcached.Spec.Size > 5 {
		return admission.Warnings{"it is large"}, errors.New("too large to be deleted")
	}
	return nil, nil
}

func validate(memcached *Memcached) (admission.Warnings, error) {
	if memcached.Spec.Mode == "panic" {
		panic("out of order")
	}
	if memcached.Spec.Size > 7 {
		kind := schema.GroupKind{Group: "differential.example.com", Kind: "Memcached"}
		invalid := field.Invalid(field.NewPath("spec", "size"), memcached.Spec.Size, "at most 7")
		return nil, apierrors.NewInvalid(kind, memcached.Name, field.ErrorList{invalid})
	}
	if memcached.Spec.Size == 6 {
		return admission.Warnings{"6 is even"}, nil
	}
	return nil, nil
}
