// +groupName=postgres.example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Phase is where a cluster stands in its life.
// +kubebuilder:validation:Enum=Creating;Running;Failing Over;Failed
type Phase string

// Extension is the name of an extension, such as `postgis`.
// +kubebuilder:validation:Pattern=`^[a-z][a-z0-9_]{0,62}$`
type Extension string

// Storage says where the data lives.
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.storageClass) || self.storageClass == oldSelf.storageClass",message="storageClass can't be changed"
type Storage struct {
	// size of each volume; it can only grow
	// +kubebuilder:default="10Gi"
	// +kubebuilder:validation:XValidation:rule="quantity(self).compareTo(quantity(oldSelf)) >= 0",message="volumes can't shrink"
	Size resource.Quantity `json:"size,omitempty"`
	// storageClass of the volumes
	// +kubebuilder:validation:MaxLength=253
	StorageClass *string `json:"storageClass,omitempty"`
}

// Backup says when and where backups are written.
type Backup struct {
	// schedule in cron format
	// +kubebuilder:default="0 3 * * *"
	// +kubebuilder:validation:MinLength=9
	Schedule string `json:"schedule,omitempty"`
	// keep so many backups
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=365
	// +kubebuilder:default=7
	Keep int32 `json:"keep,omitempty"`
	// credentials of the bucket
	Credentials corev1.SecretKeySelector `json:"credentials"`
	// timeout of one backup
	// +kubebuilder:default="1h"
	Timeout metav1.Duration `json:"timeout,omitempty"`
}

// User is a database role.
type User struct {
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`
	// +kubebuilder:validation:Enum=superuser;createdb;createrole;login
	// +listType=set
	Options []string `json:"options,omitempty"`
	// databases the user may connect to
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=63
	Databases []string `json:"databases,omitempty"`
	// passwordRef; a password is made when it is absent
	// +nullable
	PasswordRef *corev1.SecretKeySelector `json:"passwordRef,omitempty"`
}

// ClusterSpec defines the desired state of Cluster
// +kubebuilder:validation:XValidation:rule="!self.highAvailability || self.instances >= 2",message="high availability needs two instances",fieldPath=".instances"
type ClusterSpec struct {
	// instances is the number of servers, the primary included.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=1
	// +optional
	Instances int32 `json:"instances,omitempty"`
	// highAvailability keeps a standby.
	// +kubebuilder:default=false
	// +optional
	HighAvailability bool `json:"highAvailability,omitempty"`
	// version of PostgreSQL: major only.
	// +kubebuilder:validation:Enum=14;15;16;17
	// +k8s:immutable
	Version int `json:"version"`
	// +kubebuilder:default={}
	Storage Storage `json:"storage,omitempty"`
	Backup  *Backup `json:"backup,omitempty"`
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=100
	Users []User `json:"users,omitempty"`
	// +listType=set
	Extensions []Extension `json:"extensions,omitempty"`
	// parameters of postgresql.conf, "name: value"
	// +kubebuilder:validation:MaxProperties=200
	// +kubebuilder:default={max_connections: "100", "shared_buffers": 128MB}
	Parameters map[string]string `json:"parameters,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	Patroni map[string]string `json:"patroni,omitempty"`
	// resources of the server's container
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// monitoring.enabled starts an exporter
	Monitoring *corev1.LocalObjectReference `json:"monitoring,omitempty"`
	// sidecars run beside each server
	// +listType=map
	// +listMapKey=name
	Sidecars []corev1.Container `json:"sidecars,omitempty"`
}

// ClusterStatus defines the observed state of Cluster.
type ClusterStatus struct {
	Phase Phase `json:"phase,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// readyInstances counts servers that answer
	ReadyInstances int32  `json:"readyInstances,omitempty"`
	Selector       string `json:"selector,omitempty"`
	// +nullable
	LastBackup *metav1.Time `json:"lastBackup,omitempty"`
	// +kubebuilder:validation:Format=int64
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// Cluster is a PostgreSQL cluster.
//
// It has one primary and any number of standbys; see
// https://www.postgresql.org/docs/current/high-availability.html for what that means.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.instances,statuspath=.status.readyInstances,selectorpath=.status.selector
// +kubebuilder:resource:path=pgclusters,singular=pgcluster,shortName=pg;pgc,categories=all;databases
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name="Instances",type=integer,format=int32,JSONPath=`.spec.instances`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Memory",type=string,priority=1,JSONPath=`.spec.resources.limits.memory`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:selectablefield:JSONPath=`.spec.version`
// +kubebuilder:selectablefield:JSONPath=`.status.phase`
type Cluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec defines the desired state of Cluster
	// +required
	Spec ClusterSpec `json:"spec"`
	// status defines the observed state of Cluster
	// +optional
	Status ClusterStatus `json:"status,omitempty"`
}

// +kubebuilder:rbac:groups=postgres.example.com,resources=pgclusters,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=postgres.example.com,resources=pgclusters/status;pgclusters/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=statefulsets,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups="",resources=services;configmaps;secrets;persistentvolumeclaims,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups="",resources=pods/exec,verbs=create

func reconcile() {}
