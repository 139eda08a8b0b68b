import type { JSONValue } from "tsop";

/** +kubebuilder:validation:XValidation:rule="self.missing > 1 && other" */
interface Item {
  name: string;
}

// +kubebuilder:validation:XValidation:rule=`self.a == ''`,messageExpression="self.gone"
// +kubebuilder:validation:XValidation:rule="self.a",fieldPath=.nowhere
// +kubebuilder:validation:XValidation:rule="self.a == \"x\" && self.b == 'c'"
export interface Spec {
  a: string;
  // +kubebuilder:validation:XValidation:rule="self.all(x, self.all(y, x.contains(y)))"
  costly?: string[];
  // +kubebuilder:validation:items:XValidation:rule="self == oldSelf"
  listed?: string[];
  // +kubebuilder:validation:XValidation:rule="true",message="two\nlines"
  // +kubebuilder:validation:XValidation:rule="self ="
  broken?: string;
  // +kubebuilder:validation:XValidation:rule="true"
  anything?: JSONValue;
  // +kubebuilder:validation:XValidation:rule="self == 'x'"
  // +kubebuilder:default=y
  defaulted?: string;
  items?: Item[];
}
