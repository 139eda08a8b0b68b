/** Ref points to a T. */
interface Ref<Kind extends string = "Secret", Key = string> { kind: Kind; key?: Key }
/**
 * Bounded is a list
 * +kubebuilder:validation:MaxItems=3
 */
type Bounded<T> = T[];
type Pair<A, B = A> = { first: A; second: B };
export interface Spec { a: Ref; b: Ref<"ConfigMap" | "Secret">; c: Ref<"Pod", number>; d: Bounded<Ref<"Node">>; e: Pair<string>; f: Pair<string, Bounded<number>> }
