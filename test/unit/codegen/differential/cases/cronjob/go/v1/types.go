package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// ConcurrencyPolicy describes how overlapping runs are treated.
// Only one of the following may be specified.
// If none of the following policies is specified, the default one is AllowConcurrent, which is a name that makes this line long.
// +kubebuilder:validation:Enum=Allow;Forbid;Replace
type ConcurrencyPolicy string

// ShortName is a name of few characters.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=15
// +kubebuilder:validation:Pattern=`^[a-z][a-z0-9-]*$`
type ShortName string

// Ports is a list of ports.
// +kubebuilder:validation:MaxItems=7
// +listType=atomic
type Ports []int32

// Target says what is saved.
type Target struct {
	// name of the target
	Name ShortName `json:"name"`
	// path within it: a text with a colon and a # sign
	// +optional
	Path string `json:"path,omitempty"`
	// nested says where it is
	// +kubebuilder:default={zone: "a", weights: {1,2,3}}
	Nested *Nested `json:"nested,omitempty"`
}

// Nested has defaults.
// +structType=atomic
type Nested struct {
	// +kubebuilder:default="b"
	Zone string `json:"zone,omitempty"`
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=100
	// +kubebuilder:validation:UniqueItems=false
	Weights []int `json:"weights,omitempty"`
}

// BackupSpec defines the desired state of Backup.
// +kubebuilder:validation:XValidation:rule="self.minimum <= self.maximum",message="minimum is above maximum"
type BackupSpec struct {
	// The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.
	// +kubebuilder:validation:MinLength=0
	// +required
	Schedule string `json:"schedule"`

	// startingDeadlineSeconds is the deadline in seconds for starting the run if it misses the scheduled time for any reason. Missed runs count as failed ones.
	//
	// A second paragraph.
	//   indented
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:ExclusiveMinimum=true
	StartingDeadlineSeconds *int64 `json:"startingDeadlineSeconds,omitempty"`

	// +kubebuilder:default:=Allow
	ConcurrencyPolicy ConcurrencyPolicy `json:"concurrencyPolicy,omitempty"`

	// shorter than its type allows
	// +kubebuilder:validation:MaxLength=10
	Alias ShortName `json:"alias,omitempty"`

	// suspend tells the controller to wait. 'quoted' text: yes.
	Suspend *bool `json:"suspend,omitempty"`

	Minimum int32 `json:"minimum,omitempty"`
	// +kubebuilder:validation:MultipleOf=2
	Maximum int32 `json:"maximum,omitempty"`

	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	Targets []Target `json:"targets"`

	// a set of names
	// +listType=set
	// +kubebuilder:validation:items:MaxLength=5
	Tags []string `json:"tags,omitempty"`

	Ports Ports `json:"ports,omitempty"`

	// +mapType=atomic
	Labels map[string]string `json:"labels,omitempty"`

	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=9
	ByName map[string]Target `json:"byName,omitempty"`

	Lists map[string][]string `json:"lists,omitempty"`

	// limit of memory
	// +kubebuilder:default="64Mi"
	Memory resource.Quantity `json:"memory,omitempty"`

	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern=`^[0-9]+%?$`
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`

	At metav1.Time `json:"at,omitempty"`
	// +nullable
	AtExactly *metav1.MicroTime `json:"atExactly,omitempty"`
	// +kubebuilder:example="1h30m"
	Timeout metav1.Duration `json:"timeout,omitempty"`

	// +kubebuilder:pruning:PreserveUnknownFields
	Extra runtime.RawExtension `json:"extra,omitempty"`
	// +kubebuilder:validation:EmbeddedResource
	Object runtime.RawExtension `json:"object,omitempty"`

	Values apiextensionsv1.JSON `json:"values,omitempty"`

	Secret []byte `json:"secret,omitempty"`

	// +kubebuilder:title="A title"
	// +kubebuilder:externalDocs:url="https://example.com/docs",description="more"
	// +kubebuilder:validation:Format=ipv4
	Address string `json:"address,omitempty"`

	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Anything Target `json:"anything,omitempty"`

	// +k8s:immutable
	Fixed string `json:"fixed"`
	// +k8s:immutable
	FixedOnce string `json:"fixedOnce,omitempty"`

	// n and y are odd names
	N string `json:"n,omitempty"`
	Y string `json:"y,omitempty"`

	// field10 stands behind field2
	Field10 string `json:"field10,omitempty"`
	Field2  string `json:"field2,omitempty"`

	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern="^([0-9]+|auto)$"
	Replicas intstr.IntOrString `json:"replicas,omitempty"`

	// +default={"a": [1, "x", true]}
	// +kubebuilder:pruning:PreserveUnknownFields
	Tree *runtime.RawExtension `json:"tree,omitempty"`

	// +kubebuilder:validation:Enum=1;2;3
	// +kubebuilder:default=2
	Level int `json:"level,omitempty"`
}

// BackupStatus defines the observed state of Backup.
type BackupStatus struct {
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Replicas   int32              `json:"replicas"`
	Selector   string             `json:"selector,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.minimum,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:resource:shortName={bk,bks},categories=all,scope=Cluster,path=backupjobs,singular=backupjob
// +kubebuilder:printcolumn:name="Schedule",type=string,JSONPath=`.spec.schedule`
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp",priority=1,description="how old it is"
// +kubebuilder:printcolumn:JSONPath=".spec.suspend",name="Suspended",type=boolean,priority=0
// +kubebuilder:selectablefield:JSONPath=`.spec.alias`
// +kubebuilder:metadata:annotations="x.example.com/a=1";"x.example.com/b=x=y"
// +kubebuilder:metadata:labels=team=storage
// +kubebuilder:deprecatedversion:warning="use v2"

// Backup is the Schema for the backups API.
type Backup struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is standard object metadata
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec defines the desired state
	Spec BackupSpec `json:"spec"`

	Status BackupStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// BackupList contains a list of Backup.
type BackupList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Backup `json:"items"`
}

// +kubebuilder:rbac:groups=batch.tutorial.example.com,resources=backupjobs,verbs=get;list;watch
// +kubebuilder:rbac:groups=core,resources=pods;services,verbs=get
// +kubebuilder:rbac:groups=core,resources=pods,verbs=list
// +kubebuilder:rbac:urls=/metrics;/healthz,verbs=get
// +kubebuilder:rbac:groups=apps;batch,resources=jobs,verbs=*
// +kubebuilder:rbac:groups=apps,resources=deployments,resourceNames=one,verbs=get;delete,namespace=system
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get,roleName=secret-reader

// +kubebuilder:webhook:path=/mutate,mutating=true,failurePolicy=fail,sideEffects=None,groups=batch.tutorial.example.com,resources=backupjobs,verbs=create;update,versions=v1,name=mbackup.kb.io,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/validate,mutating=false,failurePolicy=ignore,matchPolicy=Exact,sideEffects=NoneOnDryRun,groups=core,resources=pods,verbs=create;delete,versions=v1,name=vbackup.kb.io,admissionReviewVersions={v1,v1beta1},timeoutSeconds=5
// +kubebuilder:webhook:url=https://example.com/hook,mutating=false,failurePolicy=fail,sideEffects=None,groups=*,resources=*,verbs=*,versions=*,name=avalidate.kb.io,admissionReviewVersions=v1

func unused() {}
