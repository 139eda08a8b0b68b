// +kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min is above max",reason=FieldValueInvalid,fieldPath=.min
// +kubebuilder:validation:XValidation:rule="oldSelf.hasValue() || self.min == 0",optionalOldSelf=true
// +kubebuilder:validation:AtMostOneOf=a;b
// +kubebuilder:validation:ExactlyOneOf=b;c
// +kubebuilder:validation:AtLeastOneOf=a;c
export interface Spec {
  min: number;
  max: number;
  a?: string;
  b?: string;
  // +kubebuilder:validation:XValidation:rule="self.startsWith('x')",messageExpression="'no x at the start of ' + self"
  c?: string;
}
