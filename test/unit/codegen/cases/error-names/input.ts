import type { ObjectMeta } from "tsop";
// +groupName=nodot
// +versionName=v1.2

/**
 * +kubebuilder:object:root=true
 * +kubebuilder:resource:path=Things,singular=Thing_,shortName=t;T,categories={all,Bad}
 * +kubebuilder:deprecatedversion:warning=""
 * +kubebuilder:printcolumn:name="",type=string,JSONPath=.spec.a
 * +kubebuilder:printcolumn:name=A,type=string,format=odd,JSONPath=.spec.a
 * +kubebuilder:subresource:scale:specpath=.spec.n,statuspath=.spec.n,selectorpath=.metadata.labels
 * +kubebuilder:selectablefield:JSONPath=.spec.a
 * +kubebuilder:selectablefield:JSONPath=.spec.a
 * +kubebuilder:metadata:annotations={"a b=c"},labels={"team=a b"}
 */
export interface Thing {
  metadata: ObjectMeta;
  spec: { a: string; n: number };
}
