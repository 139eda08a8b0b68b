import type { Missing } from "./other.ts";
import type { Wrong } from "tsop";
import type { Elsewhere } from "elsewhere";
import type { V1Nothing } from "@kubernetes/client-node";
import type { Pood } from "tsop/k8s/core/v1"; import type { Absent } from "../shared/absent.ts";
export interface Spec { a: Nowhere; b: Missing; c: Wrong; d: Elsewhere; e: V1Nothing; f: Pood; g: Int32; h: Pick<P, "q">; i: Absent;
  j: Color.Blue; k: Color.Computed;
  l: int; m: map<string, bool>; n: metav1.Time; o: time.Duration; p: corev1.PodSpec; q: networkingv1.IngressSpec; r: LabelSelector; s: own.Thing }
enum Color { Red = "red", Computed = "x".length }
interface P { p: string }
