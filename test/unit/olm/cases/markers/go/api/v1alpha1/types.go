// +kubebuilder:object:generate=true
// +groupName=cache.example.com
package v1alpha1

// Memcached keeps caches running.
// It is the first kind.
// +kubebuilder:object:root=true
// +operator-sdk:csv:customresourcedefinitions:displayName="Memcached App",resources={{Pod,v1,""},{Deployment,v1,"memcached"},{Deployment,v1beta2,"memcached"}}
// +operator-sdk:csv:customresourcedefinitions:resources={{Secret,v1}},order=2
type Memcached struct {
	// What is wanted.
	Spec   MemcachedSpec   `json:"spec,omitempty"`
	Status MemcachedStatus `json:"status,omitempty"`
}

type MemcachedSpec struct {
	// Size is how many pods there are.
	// +operator-sdk:csv:customresourcedefinitions:type=spec,xDescriptors={"urn:alm:descriptor:com.tectonic.ui:podCount","urn:alm:descriptor:text"}
	Size int32 `json:"size"`
	// +operator-sdk:csv:customresourcedefinitions:type=spec,displayName="Port of the container",order=1
	ContainerPort int32 `json:"containerPort,omitempty"`
	// +operator-sdk:csv:customresourcedefinitions:type=spec
	// +operator-sdk:csv:customresourcedefinitions:type=status
	Both string `json:"both,omitempty"`
	// Not shown.
	Plain string `json:"plain,omitempty"`
	// +operator-sdk:csv:customresourcedefinitions:type=spec
	Nested Nested `json:"nested,omitempty"`
	// +operator-sdk:csv:customresourcedefinitions:type=spec
	List []Nested `json:"list,omitempty"`
	Map map[string]Nested `json:"map,omitempty"`
	Common `json:",inline"`
}

type Common struct {
	// +operator-sdk:csv:customresourcedefinitions:type=spec
	Inlined string `json:"inlined,omitempty"`
}

type Nested struct {
	// Deep inside.
	// TODO: not this line
	// +operator-sdk:csv:customresourcedefinitions:type=spec,order=3
	DeepField string `json:"deepField,omitempty"`
}

type MemcachedStatus struct {
	// Names of the pods
	// +operator-sdk:csv:customresourcedefinitions:type=status
	Nodes []string `json:"nodes,omitempty"`
}

// Backup saves a cache.
// +kubebuilder:object:root=true
// +operator-sdk:csv:customresourcedefinitions:order=1
type Backup struct {
	Spec   BackupSpec   `json:"spec,omitempty"`
	Status BackupSpec `json:"status,omitempty"`
}

type BackupSpec struct {
	// +operator-sdk:csv:customresourcedefinitions:type=spec
	// +operator-sdk:csv:customresourcedefinitions:type=status
	MyURLField string `json:"myURLField,omitempty"`
}
