import { noArgument, type Marker } from "./marker.ts";

/**
 * Markers that make a field required or optional. They override the `?` of TypeScript, as they override omitempty in
 * Go.
 */
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
