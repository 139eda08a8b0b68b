import type { EnvFromSource, EnvVar } from "../../../k8s/core/v1.ts";
import { Missing, readNeeded, type ReadData } from "./data-reader.ts";
import type { Container, Pod } from "./simulated-kinds.ts";

/** The variables of a container, by name. */
export type Variables = Readonly<Record<string, string>>;

/** The variables of a container, and the reason why a kubelet would not start it. */
export interface ContainerEnvironment {
  readonly variables: Variables;
  readonly missing?: string;
}

/** Returns the variables of a container as the kubelet sets them; later ones replace earlier ones. */
export async function containerEnvironment(
  pod: Pod,
  { env = [], envFrom = [] }: Pick<Container, "env" | "envFrom">,
  read: ReadData,
): Promise<ContainerEnvironment> {
  const { hostname = pod.metadata.name ?? "" } = pod.spec;
  const variables: Record<string, string> = { HOSTNAME: hostname };
  try {
    for (const group of envFrom) Object.assign(variables, await readGroup(group, read));
    for (const variable of env) {
      const value = await readVariable(pod, variable, { read, variables });
      if (value !== undefined) variables[variable.name] = value;
    }
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    return { variables, missing: error.message };
  }
  return { variables };
}

/** Replaces references to variables, such as `$(NAME)`; `$$(NAME)` is one that stays. */
export function expandVariables(text: string, variables: Variables): string {
  return text.replace(/\$(\$?)\(([\w.-]+)\)/g, (whole, escape: string, name: string) =>
    escape === "" ? (variables[name] ?? whole) : `$(${name})`,
  );
}

async function readGroup({ prefix = "", configMapRef, secretRef }: EnvFromSource, read: ReadData): Promise<object> {
  const { name = "", optional } = secretRef ?? configMapRef ?? {};
  const data = await readNeeded(read, { kind: secretRef ? "Secret" : "ConfigMap", name, optional });
  return Object.fromEntries(Object.entries(data?.texts ?? {}).map(([key, value]) => [prefix + key, value]));
}

async function readVariable(
  pod: Pod,
  { value = "", valueFrom }: EnvVar,
  { read, variables }: { readonly read: ReadData; readonly variables: Variables },
): Promise<string | undefined> {
  if (!valueFrom) return expandVariables(value, variables);
  const { fieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef) return fieldOfPod(pod, fieldRef.fieldPath);
  const reference = secretKeyRef ?? configMapKeyRef;
  if (!reference) return undefined;
  const { name = "", key, optional } = reference;
  const kind = secretKeyRef ? "Secret" : "ConfigMap";
  const data = await readNeeded(read, { kind, name, optional });
  if (data && data.texts[key] === undefined && !optional)
    throw new Missing(`couldn't find key ${key} in ${kind} ${pod.metadata.namespace}/${name}`);
  return data?.texts[key];
}

/** Returns a field of a pod as the variable of a container that refers to it. */
function fieldOfPod({ metadata, spec, status }: Pod, path: string): string {
  const [, part, key] = /^metadata\.(annotations|labels)\['(.*)'\]$/.exec(path) ?? [];
  if (key !== undefined) return metadata[part as "annotations" | "labels"]?.[key] ?? "";
  const known: Record<string, string | undefined> = {
    "metadata.name": metadata.name,
    "metadata.namespace": metadata.namespace,
    "metadata.uid": metadata.uid,
    "spec.nodeName": spec.nodeName,
    "spec.serviceAccountName": spec.serviceAccountName ?? "default",
    // A program listens here, because no interface has the address of its pod.
    "status.podIP": "127.0.0.1",
    "status.hostIP": status?.hostIP ?? "127.0.0.1",
  };
  return known[path] ?? "";
}
