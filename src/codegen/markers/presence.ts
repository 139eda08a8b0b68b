import { switchOn, type Marker } from "./marker.ts";

/**
 * Markers that make a field required or optional. They override the `?` of TypeScript, as they override omitempty in
 * Go.
 */
export const requiredMarkers: readonly Marker<true>[] = presence("Required", "The field must be present.");
export const optionalMarkers: readonly Marker<true>[] = presence("Optional", "The field may be absent.");

function presence(word: string, help: string): Marker<true>[] {
  const name = word.toLowerCase();
  return [
    switchOn(`kubebuilder:validation:${word}`, ["field", "package"], help),
    switchOn(name, ["field"], help),
    switchOn(`k8s:${name}`, ["field"], help),
  ];
}
