// +groupName=tenancy.example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Quota limits what a tenant uses.
type Quota struct {
	// hard limits by resource
	Hard corev1.ResourceList `json:"hard"`
	// +kubebuilder:validation:Enum=Cluster;Namespace
	// +kubebuilder:default=Namespace
	Scope string `json:"scope,omitempty"`
	// share of the cluster
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern="^(100|[0-9]{1,2})%$"
	// +kubebuilder:default="10%"
	Share *intstr.IntOrString `json:"share,omitempty"`
	Burst resource.Quantity   `json:"burst,omitempty"`
}

// Owner may do everything in the tenant's namespaces.
// +structType=atomic
type Owner struct {
	// kind of subject
	// +kubebuilder:validation:Enum=User;Group;ServiceAccount
	Kind string `json:"kind"`
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:XValidation:rule="!self.startsWith('system:')",message="system users can't own tenants"
	Name string `json:"name"`
}

// Source is where templates come from.
// +kubebuilder:validation:ExactlyOneOf=inline;configMap;url
// +kubebuilder:validation:AtMostOneOf=checksum;insecure
type Source struct {
	Inline    *string                      `json:"inline,omitempty"`
	ConfigMap *corev1.ConfigMapKeySelector `json:"configMap,omitempty"`
	// +kubebuilder:validation:Format=uri
	// +kubebuilder:validation:MaxLength=2048
	URL *string `json:"url,omitempty"`
	// +kubebuilder:validation:Pattern=`^sha256:[0-9a-f]{64}$`
	Checksum *string `json:"checksum,omitempty"`
	Insecure *bool   `json:"insecure,omitempty"`
}

// TenantSpec says who gets what.
type TenantSpec struct {
	// owners of the tenant
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	Owners []Owner `json:"owners"`
	Quota  *Quota  `json:"quota,omitempty"`
	// namespaceSelector picks the namespaces
	NamespaceSelector metav1.LabelSelector `json:"namespaceSelector"`
	// +mapType=atomic
	// +kubebuilder:validation:MinProperties=1
	Labels map[string]string `json:"labels,omitempty"`
	// network says who may talk to the tenant
	Network []networkingv1.NetworkPolicyIngressRule `json:"network,omitempty"`
	Rules   []rbacv1.PolicyRule                     `json:"rules,omitempty"`
	// templates by name
	Templates map[string]Source `json:"templates,omitempty"`
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:MultipleOf=5
	Priority *int64 `json:"priority,omitempty"`
	// expires on this day
	// +kubebuilder:validation:Format=date
	// +kubebuilder:example="2030-12-31"
	Expires string `json:"expires,omitempty"`
	// limits by hour and zone
	Limits map[string]map[string]int32 `json:"limits,omitempty"`
	// +kubebuilder:validation:UniqueItems=false
	// +kubebuilder:validation:MaxItems=3
	Windows [][]string `json:"windows,omitempty"`
}

// Tenant is a customer of the cluster.
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=tn
// +kubebuilder:printcolumn:name="Owners",type=string,JSONPath=`.spec.owners[*].name`,description="who owns it"
// +kubebuilder:metadata:labels="app.kubernetes.io/part-of=tenancy";"tier=platform"
type Tenant struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec TenantSpec `json:"spec"`
}

// TenantClass has no spec.
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,path=tenantclasses
type TenantClass struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// provisioner that makes tenants of this class
	Provisioner string `json:"provisioner"`
	// +kubebuilder:pruning:PreserveUnknownFields
	Parameters Owner `json:"parameters,omitempty"`
}
