import type { Client } from "../../../client/client.ts";
import type { SecretProjection, Volume, VolumeProjection } from "../../../k8s/core/v1.ts";
import { containerEnvironment, type Variables } from "../context/container-environment.ts";
import type { PodVariables } from "../context/container-commands.ts";
import { Missing, readNeeded, type ReadData } from "../context/data-reader.ts";
import { NodeKind, type Container, type Pod, ClaimKind } from "../context/simulated-kinds.ts";
import { schedulingProblem } from "./node-fit.ts";
import { nodeName } from "./register-node.ts";

/** What a pod lacks: an object, or a node that takes it. */
export type Lack = MissingObject | { readonly type: "node"; readonly message: string };

/** Something that a pod needs and that does not exist. */
export type MissingObject =
  | { readonly type: "claim"; readonly claim: string; readonly message: string }
  | { readonly type: "volume"; readonly volume: string; readonly message: string }
  | { readonly type: "variable"; readonly container: string; readonly message: string };

/** The variables of a pod's containers, or that for which the kubelet lets the pod wait. */
export type Needs = { readonly variables: PodVariables } | { readonly lack: MissingObject };

/** The source of a volume's files. A volume of its own names a Secret by `secretName`, a projected one by `name`. */
type Sources = Pick<Volume, "secret" | "configMap" | "projected"> | VolumeProjection;
type DataSource = Pick<SecretProjection, "name" | "optional" | "items">;

/** Returns the names of the claims of a pod. */
export function claimsOf(pod: Pod): string[] {
  return (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}

/** Returns what the scheduler lets a pod wait for: a claim, or a node that it fits. */
export async function missingPlace(pod: Pod, client: Client): Promise<Lack | undefined> {
  const claim = await missingClaim(pod, client);
  if (claim) return claim;
  const message = schedulingProblem(pod.spec, await client.getOrUndefined(NodeKind, { name: nodeName }));
  return message === undefined ? undefined : { type: "node", message };
}

/** Returns the claim for which the scheduler lets a pod wait. */
export async function missingClaim(pod: Pod, client: Client): Promise<MissingObject | undefined> {
  const { namespace } = pod.metadata;
  for (const name of claimsOf(pod)) {
    if (await client.getOrUndefined(ClaimKind, { namespace, name })) continue;
    return {
      type: "claim",
      claim: name,
      message: `0/1 nodes are available: persistentvolumeclaim "${name}" not found. not found`,
    };
  }
  return undefined;
}

/** Reads what the containers of a pod need. */
export async function gatherNeeds(pod: Pod, read: ReadData): Promise<Needs> {
  const { initContainers = [], containers } = pod.spec;
  const all = [...initContainers, ...containers];
  const lack = await missingVolume(pod, all, read);
  if (lack) return { lack };
  const variables = new Map<string, Variables>();
  for (const container of all) {
    const environment = await containerEnvironment(pod, container, read);
    const { missing } = environment;
    if (missing !== undefined) return { lack: { type: "variable", container: container.name, message: missing } };
    variables.set(container.name, environment.variables);
  }
  return { variables };
}

/** A volume that no container mounts is not needed. */
async function missingVolume(
  pod: Pod,
  containers: readonly Container[],
  read: ReadData,
): Promise<MissingObject | undefined> {
  const mounted = new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)));
  for (const volume of (pod.spec.volumes ?? []).filter(({ name }) => mounted.has(name))) {
    try {
      await readSources(volume, read);
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      return { type: "volume", volume: volume.name, message: error.message };
    }
  }
  return undefined;
}

async function readSources(source: Sources, read: ReadData): Promise<void> {
  const { secret, configMap } = source;
  if (secret) await readSource("Secret", { name: "secretName" in secret ? secret.secretName : "", ...secret }, read);
  if (configMap) await readSource("ConfigMap", configMap, read);
  if ("projected" in source) for (const each of source.projected?.sources ?? []) await readSources(each, read);
}

const missingKey = {
  Secret: "references non-existent secret key",
  ConfigMap: "configmap references non-existent config key",
};

async function readSource(
  kind: "Secret" | "ConfigMap",
  { name = "", optional, items = [] }: DataSource,
  read: ReadData,
): Promise<void> {
  const data = await readNeeded(read, { kind, name, optional });
  const absent = items.find(({ key }) => !data?.keys.includes(key));
  if (absent && !optional) throw new Missing(`${missingKey[kind]}: ${absent.key}`);
}
