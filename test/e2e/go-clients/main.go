// A program without Go types for its objects: it discovers kinds, applies objects with server-side apply, and follows them
// with informers. It prints a line for each observation, and ends after the last one.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/disk"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := run(ctx, os.Args[1]); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder string) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	found, err := disk.NewCachedDiscoveryClientForConfig(config, folder+"/discovery", folder+"/http", time.Hour)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(found)
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	widgets := schema.GroupKind{Group: "example.com", Kind: "Widget"}
	if _, err := mapper.RESTMapping(widgets); !meta.IsNoMatchError(err) {
		return fmt.Errorf("a kind that is not there yet was found: %v", err)
	}
	deployments, err := mapper.RESTMapping(schema.GroupKind{Group: "apps", Kind: "Deployment"})
	if err != nil {
		return err
	}
	fmt.Println("mapped", deployments.Resource.String(), deployments.Scope.Name())
	short, err := restmapper.NewShortcutExpander(mapper, found, nil).ResourceFor(schema.GroupVersionResource{Resource: "pdb"})
	if err != nil {
		return err
	}
	fmt.Println("expanded", short.String())
	if err := installWidgets(ctx, client); err != nil {
		return err
	}
	mapping, err := mapWidgets(ctx, found, mapper, widgets)
	if err != nil {
		return err
	}
	fmt.Println("mapped", mapping.Resource.String(), mapping.Scope.Name())
	metadataClient, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	return follow(ctx, client, metadataClient, mapping.Resource)
}

func installWidgets(ctx context.Context, client dynamic.Interface) error {
	crds := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	fields := map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	crd := object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.example.com", map[string]any{
		"group": "example.com",
		"scope": "Namespaced",
		"names": map[string]any{"kind": "Widget", "plural": "widgets"},
		"versions": []any{map[string]any{
			"name": "v1", "served": true, "storage": true,
			"schema":       map[string]any{"openAPIV3Schema": fields},
			"subresources": map[string]any{"status": map[string]any{}},
		}},
	})
	_, err := client.Resource(crds).Apply(ctx, crd.GetName(), crd, metav1.ApplyOptions{FieldManager: "go"})
	return err
}

// A cache on disk is outdated as soon as a new kind exists.
func mapWidgets(ctx context.Context, found discovery.CachedDiscoveryInterface, mapper *restmapper.DeferredDiscoveryRESTMapper, kind schema.GroupKind) (*meta.RESTMapping, error) {
	for {
		found.Invalidate()
		mapper.Reset()
		mapping, err := mapper.RESTMapping(kind)
		if err == nil || !meta.IsNoMatchError(err) {
			return mapping, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func follow(ctx context.Context, client dynamic.Interface, metadataClient metadata.Interface, resource schema.GroupVersionResource) error {
	seen := make(chan string, 100)
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, "default", nil)
	names := metadatainformer.NewFilteredSharedInformerFactory(metadataClient, 0, "default", nil)
	tell(factory.ForResource(resource).Informer(), "widget", seen)
	tell(names.ForResource(resource).Informer(), "name", seen)
	factory.Start(ctx.Done())
	names.Start(ctx.Done())
	for _, synced := range []map[schema.GroupVersionResource]bool{factory.WaitForCacheSync(ctx.Done()), names.WaitForCacheSync(ctx.Done())} {
		if !synced[resource] {
			return fmt.Errorf("%v is not in sync", resource)
		}
	}
	widgets := client.Resource(resource).Namespace("default")
	for _, size := range []int64{1, 2} {
		widget := object("example.com/v1", "Widget", "a", map[string]any{"size": size})
		if _, err := widgets.Apply(ctx, "a", widget, metav1.ApplyOptions{FieldManager: "go"}); err != nil {
			return err
		}
	}
	if err := contend(ctx, widgets); err != nil {
		return err
	}
	status := object("example.com/v1", "Widget", "a", nil)
	status.Object["status"] = map[string]any{"ready": true}
	if _, err := widgets.ApplyStatus(ctx, "a", status, metav1.ApplyOptions{FieldManager: "go"}); err != nil {
		return err
	}
	if err := widgets.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, line := range []string{
		"widget added 1 <nil>", "widget updated 2 <nil>", "widget updated 3 <nil>", "widget updated 3 true", "widget deleted 3 true",
		"name added <nil> <nil>", "name updated <nil> <nil>", "name deleted <nil> <nil>",
	} {
		wanted[line] = true
	}
	for len(wanted) > 0 {
		select {
		case line := <-seen:
			delete(wanted, line)
			fmt.Println(line)
		case <-ctx.Done():
			return fmt.Errorf("never seen: %v", wanted)
		}
	}
	return nil
}

// Another manager applies the same field: a conflict, unless it is forced.
func contend(ctx context.Context, widgets dynamic.ResourceInterface) error {
	widget := object("example.com/v1", "Widget", "a", map[string]any{"size": int64(3)})
	_, err := widgets.Apply(ctx, "a", widget, metav1.ApplyOptions{FieldManager: "other"})
	if !apierrors.IsConflict(err) {
		return fmt.Errorf("no conflict: %v", err)
	}
	fmt.Println(err)
	forced, err := widgets.Apply(ctx, "a", widget, metav1.ApplyOptions{FieldManager: "other", Force: true})
	if err != nil {
		return err
	}
	for _, entry := range forced.GetManagedFields() {
		fmt.Println("managed", entry.Manager, entry.Operation, string(entry.FieldsV1.Raw))
	}
	return nil
}

func tell(informer cache.SharedIndexInformer, name string, seen chan<- string) {
	line := func(event string, object any) {
		if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = gone.Obj
		}
		content := map[string]any{}
		if known, ok := object.(*unstructured.Unstructured); ok {
			content = known.Object
		}
		size, _, _ := unstructured.NestedFieldNoCopy(content, "spec", "size")
		ready, _, _ := unstructured.NestedFieldNoCopy(content, "status", "ready")
		seen <- fmt.Sprint(name, " ", event, " ", size, " ", ready)
	}
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { line("added", object) },
		UpdateFunc: func(_, object any) { line("updated", object) },
		DeleteFunc: func(object any) { line("deleted", object) },
	})
}

func object(apiVersion, kind, name string, spec map[string]any) *unstructured.Unstructured {
	content := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": name}}
	if spec != nil {
		content["spec"] = spec
	}
	return &unstructured.Unstructured{Object: content}
}
