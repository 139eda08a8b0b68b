import { fieldOfPod } from "../../sandbox/simulation/context/field-of-pod.ts";
import type { SandboxPod } from "../../sandbox/start-sandbox.ts";

interface KeyReference {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly resourceFieldRef?: { readonly resource: string };
    readonly configMapKeyRef?: KeyReference;
    readonly secretKeyRef?: KeyReference;
  };
}

interface ObjectReference {
  readonly name?: string;
  readonly optional?: boolean;
}

interface Group {
  readonly prefix?: string;
  readonly configMapRef?: ObjectReference;
  readonly secretRef?: ObjectReference;
}

/** Reads the data of a Secret or ConfigMap of the pod's namespace as texts; undefined if it does not exist. */
export type ReadData = (kind: "Secret" | "ConfigMap", name: string) => Promise<Record<string, string> | undefined>;

/** The variables of a container, or the reason why the kubelet does not start it. */
export type PodEnvironment =
  | { readonly variables: Record<string, string> }
  | { readonly reason: "CreateContainerConfigError"; readonly message: string };

/** Returns the variables of a container as the kubelet sets them; later ones replace earlier ones. */
export async function podEnvironment(pod: SandboxPod, container: string, read: ReadData): Promise<PodEnvironment> {
  const found: Partial<SandboxPod["spec"]["containers"][number]> =
    pod.spec.containers.find(({ name }) => name === container) ?? {};
  const { env = [], ["envFrom"]: envFrom = [] } = found;
  const variables: Record<string, string> = {};
  try {
    for (const group of envFrom as readonly Group[]) Object.assign(variables, await readGroup(group, read));
    for (const variable of env as readonly Variable[]) {
      const value = await readVariable(pod, variable, { read, variables });
      if (value !== undefined) variables[variable.name] = value;
    }
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    return { reason: "CreateContainerConfigError", message: error.message };
  }
  return { variables };
}

/** Something that a container needs and that is not there. */
class Missing extends Error {}

async function readGroup({ prefix = "", configMapRef, secretRef }: Group, read: ReadData): Promise<object> {
  const { name = "", optional = false } = secretRef ?? configMapRef ?? {};
  const data = await readObject(read, { kind: secretRef ? "Secret" : "ConfigMap", name, optional });
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [prefix + key, value]));
}

async function readVariable(
  pod: SandboxPod,
  { value = "", valueFrom }: Variable,
  { read, variables }: { readonly read: ReadData; readonly variables: Readonly<Record<string, string>> },
): Promise<string | undefined> {
  if (!valueFrom)
    return value.replace(/\$(\$?)\(([\w.-]+)\)/g, (whole, escape: string, other: string) =>
      escape === "" ? (variables[other] ?? whole) : `$(${other})`,
    );
  const { fieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef) return fieldOfPod(pod, fieldRef.fieldPath);
  const reference = secretKeyRef ?? configMapKeyRef;
  if (!reference) return undefined;
  const { name = "", key, optional = false } = reference;
  const kind = secretKeyRef ? "Secret" : "ConfigMap";
  const data = await readObject(read, { kind, name, optional });
  if (data && data[key] === undefined && !optional)
    throw new Missing(`couldn't find key ${key} in ${kind} ${pod.metadata.namespace}/${name}`);
  return data?.[key];
}

async function readObject(
  read: ReadData,
  {
    kind,
    name,
    optional,
  }: { readonly kind: "Secret" | "ConfigMap"; readonly name: string; readonly optional: boolean },
): Promise<Record<string, string> | undefined> {
  const data = await read(kind, name);
  if (!data && !optional) throw new Missing(`${kind.toLowerCase()} ${JSON.stringify(name)} not found`);
  return data;
}
