/**
 * +kubebuilder:validation:ExactlyOneOf=a;b
 * +kubebuilder:validation:AtMostOneOf=c.d;b
 * +kubebuilder:validation:AtLeastOneOf=b;missing
 */
export interface Spec { a: string; b?: string; c?: { d?: string } }
