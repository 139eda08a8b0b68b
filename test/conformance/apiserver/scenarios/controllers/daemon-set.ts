import { change, create, events, gone, identity, remove, settle, settles, templateOf } from "../../controller-steps.ts";
import type { Scenarios, Step } from "../../scenario.ts";
import { apps, core } from "../../steps.ts";

const set = `${apps}/daemonsets/agent`;
const isSeen = ({ metadata, status }: any): boolean => status?.observedGeneration === metadata.generation;
const ofPod = (object: any): object => {
  const { affinity, tolerations, nodeName } = object.spec;
  return { ...identity(object), affinity, tolerations, nodeName };
};
const ofRevision = (object: any): object => ({ ...identity(object), revision: object.revision, data: object.data });

/** With the order of its members, which clients compare. */
const asText = ({ revision, data }: any): object => ({ revision, data: JSON.stringify(data) });

const isRunning = ({ status }: any): boolean => status.phase === "Running";
const daemonSet = (spec: object): object => ({
  metadata: { name: "agent" },
  spec: { selector: { matchLabels: { app: "agent" } }, template: templateOf("agent"), ...spec },
});

/** Creates a DaemonSet whose pods are available after 15 seconds. */
const createSlowly = (spec: object): Step => create(`${apps}/daemonsets`, daemonSet({ minReadySeconds: 15, ...spec }));

/** Labels the node, of which no other scenario takes notice. */
const labelled = (value: string | null): Step =>
  change("/api/v1/nodes/tsop-node", { metadata: { labels: { "{ns}": value } } });

const isOwned = ({ metadata }: any): boolean => metadata.ownerReferences?.length > 0;

export const scenarios: Scenarios = {
  "controllers-daemonset": [
    create(`${apps}/daemonsets`, daemonSet({})),
    settles(set, (object) => isSeen(object) && object.status.numberAvailable === 1),
    settle(`${core}/pods`, (items) => items.length === 1, { of: ofPod }),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1, { of: ofRevision }),
    change(set, { spec: { template: { spec: { containers: [{ name: "c", image: "image:2" }] } } } }),
    settles(
      set,
      (object) => isSeen(object) && object.status.updatedNumberScheduled === 1 && object.status.numberAvailable === 1,
    ),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 2, { of: ofRevision }),
    settle(`${core}/pods`, (items) => items.length === 1, { of: ofPod }),
    events({ SuccessfulCreate: 2, SuccessfulDelete: 1 }),
    change(set, { spec: { template: { spec: { nodeSelector: { none: "such" } } } } }),
    settle(`${core}/pods`, (items) => items.length === 0),
    settles(
      set,
      (object) =>
        isSeen(object) && object.status.desiredNumberScheduled === 0 && object.status.numberMisscheduled === 0,
    ),
  ],
  "controllers-daemonset-on-delete": [
    createSlowly({ revisionHistoryLimit: 0, updateStrategy: { type: "OnDelete" } }),
    settles(set, (object) => isSeen(object) && object.status.numberReady === 1),
    { advance: 16 },
    settles(set, (object) => object.status.numberAvailable === 1),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1, { of: asText }),
    settle(`${core}/pods`, (items) => items.length === 1, { of: ofPod, save: { first: "items.0.metadata.name" } }),
    change(set, { spec: { template: { spec: { containers: [{ name: "c", image: "image:2" }] } } } }),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 2, { of: asText }),
    settles(set, (object) => isSeen(object) && !object.status.updatedNumberScheduled),
    remove(`${core}/pods/{first}`),
    settles(set, (object) => object.status.updatedNumberScheduled === 1 && object.status.numberReady === 1),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1, { of: asText }),
  ],
  "controllers-daemonset-orphans": [
    create(`${apps}/daemonsets`, daemonSet({})),
    settles(set, ({ status }) => status?.numberAvailable === 1),
    remove(set, { propagationPolicy: "Orphan" }),
    gone(set),
    settle(`${core}/pods`, ([pod]) => pod && !isOwned(pod), {
      of: identity,
      save: { first: "items.0.metadata.name" },
    }),
    create(`${apps}/daemonsets`, daemonSet({})),
    settles(set, ({ status }) => status?.numberAvailable === 1),
    settle(`${core}/pods`, ([pod]) => isOwned(pod), { of: identity }),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1 && isOwned(items[0]), { of: ofRevision }),
    change(`${core}/pods/{first}`, { metadata: { labels: { app: "other" } } }),
    settles(`${core}/pods/{first}`, (pod) => !isOwned(pod), { pick: identity }),
    settle(`${core}/pods`, (items) => items.length === 2 && items.every(isRunning), { of: identity }),
    remove(`${core}/pods/{first}`),
    events({ SuccessfulCreate: 2 }),
  ],
  "controllers-daemonset-placement": [
    create(
      `${apps}/daemonsets`,
      daemonSet({
        template: templateOf("agent", {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: "none", operator: "Exists" }] },
                  { matchExpressions: [{ key: "{ns}", operator: "Gt", values: ["3"] }] },
                ],
              },
            },
          },
          hostNetwork: true,
          tolerations: [
            { key: "own", operator: "Exists" },
            { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 },
            { key: "node.kubernetes.io/disk-pressure", value: "yes", effect: "NoSchedule" },
          ],
        }),
      }),
    ),
    settles(set, (object) => isSeen(object)),
    labelled("3"),
    settles(set, ({ status }) => status.desiredNumberScheduled === 0),
    labelled("4"),
    settles(set, ({ status }) => status.numberAvailable === 1),
    settle(`${core}/pods`, (items) => items.length === 1, { of: ofPod }),
    labelled(null),
    settle(`${core}/pods`, (items) => items.length === 0),
    settles(set, ({ status }) => status.desiredNumberScheduled === 0 && !status.numberMisscheduled),
  ],
};
