// +groupName=cache.example.com
import type { Int32, ObjectMeta } from "tsop";

// Memcached keeps caches running.
// It is the first kind.
// +kubebuilder:object:root=true
// +operator-sdk:csv:customresourcedefinitions:displayName="Memcached App",resources={{Pod,v1,""},{Deployment,v1,"memcached"},{Deployment,v1beta2,"memcached"}}
// +operator-sdk:csv:customresourcedefinitions:resources={{Secret,v1}},order=2
export interface Memcached {
  metadata: ObjectMeta;
  // What is wanted.
  spec?: MemcachedSpec;
  status?: MemcachedStatus;
}

interface MemcachedSpec extends Common {
  // Size is how many pods there are.
  // +operator-sdk:csv:customresourcedefinitions:type=spec,xDescriptors={"urn:alm:descriptor:com.tectonic.ui:podCount","urn:alm:descriptor:text"}
  size: Int32;
  // +operator-sdk:csv:customresourcedefinitions:type=spec,displayName="Port of the container",order=1
  containerPort?: Int32;
  // +operator-sdk:csv:customresourcedefinitions:type=spec
  // +operator-sdk:csv:customresourcedefinitions:type=status
  both?: string;
  // Not shown.
  plain?: string;
  // +operator-sdk:csv:customresourcedefinitions:type=spec
  nested?: Nested;
  // +operator-sdk:csv:customresourcedefinitions:type=spec
  list?: Nested[];
  map?: Record<string, Nested>;
}

interface Common {
  // +operator-sdk:csv:customresourcedefinitions:type=spec
  inlined?: string;
}

interface Nested {
  // Deep inside.
  // TODO: not this line
  // +operator-sdk:csv:customresourcedefinitions:type=spec,order=3
  deepField?: string;
}

interface MemcachedStatus {
  // Names of the pods
  // +operator-sdk:csv:customresourcedefinitions:type=status
  nodes?: string[];
}

// Backup saves a cache.
// +kubebuilder:object:root=true
// +operator-sdk:csv:customresourcedefinitions:order=1
export interface Backup {
  metadata: ObjectMeta;
  spec?: BackupSpec;
  status?: BackupSpec;
}

interface BackupSpec {
  // +operator-sdk:csv:customresourcedefinitions:type=spec
  // +operator-sdk:csv:customresourcedefinitions:type=status
  myURLField?: string;
}
