import type { Container, PodSpec } from "tsop/k8s/core/v1";

interface Base {
  /** Mode of the base. */
  mode: "a" | "b";
}
interface Derived extends Base {
  own: string;
}
type Pair = Base & { other: boolean };

export interface Spec {
  /** Resources of each pod. */
  resources?: Container["resources"];
  tolerations?: PodSpec["tolerations"];
  policy?: NonNullable<Container["imagePullPolicy"]>;
  toleration?: NonNullable<PodSpec["tolerations"]>[number];
  inherited: Derived["mode"];
  partOfBoth: Pair["other"];
  left?: Omit<Derived, "own">["mode"];
}
