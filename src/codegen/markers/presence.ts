import { noArgument, type Marker } from "./marker.ts";

/** Whether a field may be absent. In TypeScript `?` says it; these markers win over it, as they do over omitempty in Go. */
export const requiredMarkers: readonly Marker<true>[] = [
  "kubebuilder:validation:Required",
  "required",
  "k8s:required",
].map((name) => ({
  name,
  targets: name.startsWith("kubebuilder") ? ["field", "package"] : ["field"],
  argument: noArgument,
  help: "The field must be present.",
}));

export const optionalMarkers: readonly Marker<true>[] = [
  "kubebuilder:validation:Optional",
  "optional",
  "k8s:optional",
].map((name) => ({
  name,
  targets: name.startsWith("kubebuilder") ? ["field", "package"] : ["field"],
  argument: noArgument,
  help: "The field may be absent.",
}));
