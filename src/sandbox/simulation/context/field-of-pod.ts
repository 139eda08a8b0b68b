import type { Pod } from "./simulated-kinds.ts";

/** Returns a field of a pod as the variable of a container that refers to it. */
export function fieldOfPod({ metadata, spec, status }: Pod, path: string): string {
  const [, part, key] = /^metadata\.(annotations|labels)\['(.*)'\]$/.exec(path) ?? [];
  if (key !== undefined) return metadata[part as "annotations" | "labels"]?.[key] ?? "";
  const known: Record<string, string | undefined> = {
    "metadata.name": metadata.name,
    "metadata.namespace": metadata.namespace,
    "metadata.uid": metadata.uid,
    "spec.nodeName": spec.nodeName,
    "spec.serviceAccountName": (spec["serviceAccountName"] as string | undefined) ?? "default",
    // A program listens here: the address of its pod is that of no interface.
    "status.podIP": "127.0.0.1",
    "status.hostIP": (status?.["hostIP"] as string | undefined) ?? "127.0.0.1",
  };
  return known[path] ?? "";
}
