import type { SandboxPod } from "../../sandbox/start-sandbox.ts";

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
}

/** Returns the variables of a container as the kubelet sets them; those of secrets and config maps are left out. */
export function podEnvironment(pod: SandboxPod, container: string): Record<string, string> {
  const { env = [] } = pod.spec.containers.find(({ name }) => name === container) ?? {};
  const values: Record<string, string> = {};
  for (const { name, value = "", valueFrom } of env as readonly Variable[]) {
    const path = valueFrom?.fieldRef?.fieldPath;
    if (path !== undefined) values[name] = fieldOf(pod, path);
    else if (!valueFrom)
      values[name] = value.replace(/\$\(([\w.-]+)\)/g, (whole, other: string) => values[other] ?? whole);
  }
  return values;
}

function fieldOf({ metadata, spec, status }: SandboxPod, path: string): string {
  const [, part, key] = /^metadata\.(annotations|labels)\['(.*)'\]$/.exec(path) ?? [];
  if (key !== undefined) return metadata[part as "annotations" | "labels"]?.[key] ?? "";
  const known: Record<string, string | undefined> = {
    "metadata.name": metadata.name,
    "metadata.namespace": metadata.namespace,
    "metadata.uid": metadata.uid,
    "spec.nodeName": spec.nodeName,
    "spec.serviceAccountName": (spec["serviceAccountName"] as string | undefined) ?? "default",
    "status.podIP": (status?.["podIP"] as string | undefined) ?? "127.0.0.1",
    "status.hostIP": (status?.["hostIP"] as string | undefined) ?? "127.0.0.1",
  };
  return known[path] ?? "";
}
