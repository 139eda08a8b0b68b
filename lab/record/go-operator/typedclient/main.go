// Command typedclient uses client-go's typed, metadata and discovery clients with protobuf only, and prints the responses,
// which are the same on every server.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sort"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	openapi "k8s.io/kube-openapi/pkg/util/proto"
)

const protobuf = "application/vnd.kubernetes.protobuf"
const namespace = "default"

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the server")
	flag.Parse()
	if err := run(*kubeconfig); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.ContentType = protobuf
	config.AcceptContentTypes = protobuf
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := deployments(ctx, clients); err != nil {
		return err
	}
	if err := configMaps(ctx, clients); err != nil {
		return err
	}
	partial, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := metadataOnly(ctx, clients, partial); err != nil {
		return err
	}
	return schemas(clients)
}

// schemas reads the old OpenAPI document like kubectl up to 1.26.
func schemas(clients kubernetes.Interface) error {
	document, err := clients.Discovery().OpenAPISchema()
	if err != nil {
		return err
	}
	models, err := openapi.NewOpenAPIData(document)
	if err != nil {
		return err
	}
	fmt.Println("openapi", document.Info.Title, len(models.ListModels()) > 400)
	for _, name := range []string{"apps.v1.Deployment", "apps.v1.DeploymentSpec", "core.v1.Container"} {
		model := models.LookupModel("io.k8s.api." + name).(*openapi.Kind)
		sort.Strings(model.RequiredFields)
		fmt.Println(name, model.Keys(), model.RequiredFields, model.GetExtensions()["x-kubernetes-group-version-kind"])
	}
	container := models.LookupModel("io.k8s.api.core.v1.Container").(*openapi.Kind)
	fmt.Println("ports", container.Fields["ports"].GetExtensions()["x-kubernetes-patch-merge-key"])
	for _, path := range document.Paths.Path {
		if path.Name != "/apis/apps/v1/namespaces/{namespace}/deployments/{name}" {
			continue
		}
		for _, extension := range path.Value.Patch.VendorExtension {
			fmt.Println(extension.Name)
		}
		for _, parameter := range path.Value.Patch.Parameters {
			if query := parameter.GetParameter().GetNonBodyParameter().GetQueryParameterSubSchema(); query != nil && query.Name == "dryRun" {
				fmt.Println("patches take", query.Name, query.Type)
			}
		}
	}
	return nil
}

func deployments(ctx context.Context, clients kubernetes.Interface) error {
	client := clients.AppsV1().Deployments(namespace)
	created, err := client.Create(ctx, deployment(), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	container := created.Spec.Template.Spec.Containers[0]
	fmt.Println("created", created.Name, *created.Spec.Replicas, created.Generation, container.Resources.Requests.Cpu(), container.LivenessProbe.HTTPGet.Port.String(), *created.Spec.Strategy.RollingUpdate.MaxSurge)
	_, err = client.Create(ctx, deployment(), metav1.CreateOptions{})
	fmt.Println("again", apierrors.IsAlreadyExists(err), err)
	*created.Spec.Replicas = 0
	updated, err := client.Update(ctx, created, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	fmt.Println("updated", *updated.Spec.Replicas, updated.Generation)
	patched, err := client.Patch(ctx, "typed", types.StrategicMergePatchType, []byte(`{"metadata":{"labels":{"b":"2"}}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	fmt.Println("patched", patched.Labels)
	scale, err := client.GetScale(ctx, "typed", metav1.GetOptions{})
	if err != nil {
		return err
	}
	fmt.Println("scale", scale.Name, scale.Spec.Replicas, scale.Status.Selector)
	created.ResourceVersion = "1"
	_, err = client.Update(ctx, created, metav1.UpdateOptions{})
	fmt.Println("stale", apierrors.IsConflict(err))
	updated.ResourceVersion = ""
	updated.Spec.Template.Spec.Containers = nil
	_, err = client.Update(ctx, updated, metav1.UpdateOptions{})
	fmt.Println("invalid", apierrors.IsInvalid(err), err)
	list, err := client.List(ctx, metav1.ListOptions{LabelSelector: "b=2"})
	if err != nil {
		return err
	}
	fmt.Println("list", len(list.Items), list.Items[0].Name, list.ResourceVersion != "")
	if err := client.Delete(ctx, "typed", metav1.DeleteOptions{}); err != nil {
		return err
	}
	_, err = client.Get(ctx, "typed", metav1.GetOptions{})
	fmt.Println("gone", apierrors.IsNotFound(err), err)
	return nil
}

func configMaps(ctx context.Context, clients kubernetes.Interface) error {
	client := clients.CoreV1().ConfigMaps(namespace)
	changes, err := client.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=typed"})
	if err != nil {
		return err
	}
	defer changes.Stop()
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps()
	synced := informer.Informer().HasSynced
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), synced) {
		return fmt.Errorf("the informer did not sync")
	}
	object := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "typed"},
		Data:       map[string]string{"b": "é", "a": ""},
		BinaryData: map[string][]byte{"c": {0, 255}},
	}
	if object, err = client.Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	object.Data["b"] = "2"
	if _, err = client.Update(ctx, object, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err = client.Delete(ctx, "typed", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for range 3 {
		event, open := <-changes.ResultChan()
		if !open || event.Type == watch.Error {
			return fmt.Errorf("the watch ended: %v", event)
		}
		shown := event.Object.(*corev1.ConfigMap)
		fmt.Println("event", event.Type, shown.Name, shown.Data, shown.BinaryData)
	}
	old, err := client.Watch(ctx, metav1.ListOptions{ResourceVersion: "garbage"})
	fmt.Println("no watch", old == nil, err)
	return nil
}

func metadataOnly(ctx context.Context, clients kubernetes.Interface, partial metadata.Interface) error {
	account, err := clients.CoreV1().ServiceAccounts(namespace).Create(ctx, &corev1.ServiceAccount{
		ObjectMeta: metav1.ObjectMeta{Name: "typed", Labels: map[string]string{"a": "1"}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	resources := partial.Resource(schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}).Namespace(namespace)
	shown, err := resources.Get(ctx, account.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	fmt.Println("metadata", shown.Kind, shown.Labels, shown.UID == account.UID)
	list, err := resources.List(ctx, metav1.ListOptions{LabelSelector: "a=1"})
	if err != nil {
		return err
	}
	fmt.Println("metadata list", len(list.Items))
	groups, err := clients.Discovery().ServerGroups()
	if err != nil {
		return err
	}
	kinds, err := clients.Discovery().ServerResourcesForGroupVersion("apps/v1")
	if err != nil {
		return err
	}
	fmt.Println("discovery", len(groups.Groups) > 10, kinds.APIResources[0].Name)
	return nil
}

func deployment() *appsv1.Deployment {
	labels := map[string]string{"app": "typed"}
	replicas := int32(2)
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "typed", Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name:          "c",
					Image:         "example.com/app:1",
					Resources:     corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("0.1")}},
					LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromString("http")}}},
				}}},
			},
		},
	}
}
