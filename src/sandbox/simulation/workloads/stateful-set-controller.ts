import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { PodControl, retryMs, watchClaims } from "./controlled-pods.ts";
import { cutHistory, keepHistory, templateAt, type History } from "./controller-revisions.ts";
import { runController } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import { PodKind, type Pod, type PodTemplate, StatefulSetKind, type StatefulSet } from "../context/simulated-kinds.ts";
import {
  isMember,
  ordinalOf,
  planStatefulSet,
  revisionLabel,
  revisionOf,
  statefulSetStatus,
  claimName,
  createClaim,
  ownClaims,
} from "./stateful-set-plan.ts";
import type { PersistentVolumeClaim } from "../../../k8s/core/v1.ts";

/** Keeps the numbered pods of StatefulSets, with a claim for each volume. */
export function runStatefulSets(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:serviceaccount:kube-system:statefulset-controller");
  const pods = new PodControl(context, client, { kind: StatefulSetKind, component: "statefulset-controller" });
  return runController(context, {
    sources: watchClaims(context, StatefulSetKind, { owned: PodKind, selectorOf: ({ spec }) => spec.selector }),
    step: (key) => stepStatefulSet({ client, control: pods, now: context.clock.now() }, key),
  });
}

interface Tools {
  readonly client: Client;
  readonly control: PodControl<StatefulSet>;
  readonly now: number;
}

async function stepStatefulSet({ client, control, now }: Tools, key: ObjectKey): Promise<number | void> {
  const set = await client.getOrUndefined(StatefulSetKind, key);
  if (!set) return;
  const pods = await control.claim(set, set.spec.selector, (pod) => ordinalOf(set, pod) >= 0);
  const hashLabel = "controller.kubernetes.io/hash";
  const { template, revisionHistoryLimit } = set.spec;
  const history = await keepHistory(client, { kind: StatefulSetKind, owner: set, template, hashLabel });
  const moment = { revision: history.current, now };
  let refusal: string | undefined;
  if (!set.metadata.deletionTimestamp) {
    control.reportLimit(set, set.spec.replicas ?? 1);
    await ownClaims(client, set, pods);
    for (const pod of pods) if (isMember(set, pod)) await identify({ client, control }, set, pod);
    const plan = planStatefulSet(set, pods, moment);
    for (const ordinal of plan.create) refusal ??= await createMember({ client, control, set, history }, ordinal);
    for (const pod of plan.remove) await control.delete(set, pod);
  }
  const { status, changesIn } = statefulSetStatus(set, pods, moment);
  if (!equalJson(status, set.status)) await client.status.update(StatefulSetKind, { ...set, status });
  const live = [status.currentRevision, ...pods.map(({ metadata }) => metadata.labels?.[revisionLabel])];
  await cutHistory(client, history, { live, limit: revisionHistoryLimit });
  return refusal === undefined ? changesIn : retryMs;
}

interface Member {
  readonly client: Client;
  readonly control: PodControl<StatefulSet>;
  readonly set: StatefulSet;
  readonly history: History;
}

/** Creates a pod and its claims. If the server refuses one of them, returns the message. */
async function createMember({ client, control, set, history }: Member, ordinal: number): Promise<string | undefined> {
  const name = `${set.metadata.name}-${ordinal}`;
  const claims = set.spec.volumeClaimTemplates ?? [];
  for (const template of claims) {
    const claim = claimName(template, name);
    const created = await createClaim(client, set, { claim: template, name: claim });
    if (created === true) control.record(set, "SuccessfulCreate", `Create Claim ${claim} of Pod ${name}`);
    if (!(created instanceof Error)) continue;
    for (const what of [`Create Claim ${claim} of Pod ${name}`, `Create Pod ${name}`])
      control.record(set, "FailedCreate", `${what} failed: ${created.message}`, "Warning");
    return created.message;
  }
  const wanted = revisionOf(set, ordinal, history.current);
  const former = templateAt(history, wanted);
  const revision = former ? wanted : history.current;
  const labels = { ...identityLabels(name, ordinal), [revisionLabel]: revision };
  const template = memberTemplate(set, former ?? set.spec.template, { claims, name });
  return control.create(set, template, { name, generateName: `${set.metadata.name}-`, labels });
}

/** Gives a pod that was taken over the labels that name it as a member. */
async function identify(
  { client, control }: Pick<Tools, "client" | "control">,
  set: StatefulSet,
  pod: Pod,
): Promise<void> {
  const { name = "", labels = {} } = pod.metadata;
  if (labels[nameLabel] === name) return;
  const identity = identityLabels(name, ordinalOf(set, pod));
  await client.update(PodKind, { ...pod, metadata: { ...pod.metadata, labels: { ...labels, ...identity } } });
  control.record(set, "SuccessfulUpdate", `Updated pod: ${name}`);
}

const nameLabel = "statefulset.kubernetes.io/pod-name";

function identityLabels(name: string, ordinal: number): Record<string, string> {
  return { "apps.kubernetes.io/pod-index": String(ordinal), [nameLabel]: name };
}

/** Returns the template of a member, with its name, its service and its claims. */
function memberTemplate(
  { spec: { serviceName } }: StatefulSet,
  template: PodTemplate,
  { claims, name }: { readonly claims: readonly PersistentVolumeClaim[]; readonly name: string },
): PodTemplate {
  const own = new Set(claims.map(({ metadata }) => metadata.name));
  const given = (template.spec.volumes ?? []).filter(({ name }) => !own.has(name));
  const claimed = claims.map((claim) => ({
    name: claim.metadata.name ?? "",
    persistentVolumeClaim: { claimName: claimName(claim, name) },
  }));
  const volumes = [...given, ...claimed];
  const hostname = { hostname: name, ...(serviceName && { subdomain: serviceName }) };
  return { ...template, spec: { ...template.spec, ...hostname, ...(volumes.length > 0 && { volumes }) } };
}
