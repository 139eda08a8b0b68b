import type { ObjectMeta } from "tsop";
// +groupName=example.com

/**
 * +kubebuilder:object:root=true
 * +kubebuilder:resource:path=Upper,shortName=s_n
 * +kubebuilder:printcolumn:name=A,type=string,JSONPath=.spec.missing
 * +kubebuilder:printcolumn:name=B,type=text,JSONPath=.spec.map.any
 * +kubebuilder:printcolumn:name=C,type=string,JSONPath=.spec.list[0].name
 * +kubebuilder:printcolumn:name=C,type=string,JSONPath=.spec.list[?(@.name=="x")].whatever
 * +kubebuilder:printcolumn:name=D,type=string,JSONPath=spec.map
 * +kubebuilder:printcolumn:name=E,type=string,JSONPath=.metadata.labels.x
 * +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.spec.missing
 * +kubebuilder:selectablefield:JSONPath=.spec.list
 * +kubebuilder:selectablefield:JSONPath=.metadata.name
 */
export interface Sample { metadata: ObjectMeta; spec: { map: Record<string, string>; list: { name: string }[]; replicas: number } }
