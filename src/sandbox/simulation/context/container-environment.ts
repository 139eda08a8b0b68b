import { Missing, readNeeded, type ReadData } from "./data-reader.ts";
import { fieldOfPod } from "./field-of-pod.ts";
import type { Container, Pod } from "./simulated-kinds.ts";

interface ObjectReference {
  readonly name?: string;
  readonly optional?: boolean;
}

interface KeyReference extends ObjectReference {
  readonly key: string;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly configMapKeyRef?: KeyReference;
    readonly secretKeyRef?: KeyReference;
  };
}

interface Group {
  readonly prefix?: string;
  readonly configMapRef?: ObjectReference;
  readonly secretRef?: ObjectReference;
}

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
  const { hostname = pod.metadata.name ?? "" } = pod.spec as { hostname?: string };
  const variables: Record<string, string> = { HOSTNAME: hostname };
  try {
    for (const group of envFrom as readonly Group[]) Object.assign(variables, await readGroup(group, read));
    for (const variable of env as readonly Variable[]) {
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

async function readGroup({ prefix = "", configMapRef, secretRef }: Group, read: ReadData): Promise<object> {
  const { name = "", optional } = secretRef ?? configMapRef ?? {};
  const data = await readNeeded(read, { kind: secretRef ? "Secret" : "ConfigMap", name, optional });
  return Object.fromEntries(Object.entries(data?.texts ?? {}).map(([key, value]) => [prefix + key, value]));
}

async function readVariable(
  pod: Pod,
  { value = "", valueFrom }: Variable,
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
