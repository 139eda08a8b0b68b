import {
  change,
  create,
  events,
  gone,
  held,
  identity,
  remove,
  settle,
  settles,
  templateOf,
} from "../../controller-steps.ts";
import type { Scenarios } from "../../scenario.ts";
import { apps, claims, core, pods } from "../../steps.ts";

const set = `${apps}/statefulsets/db`;
const release = (name: string) =>
  change(`${pods}/${name}`, { metadata: { annotations: { "tsop.dev/keep-pending": null } } });
const statefulSet = (spec: object) => ({
  metadata: { name: "db", annotations: { "kubernetes.io/change-cause": "first" } },
  spec: {
    replicas: 2,
    serviceName: "db",
    selector: { matchLabels: { app: "db" } },
    template: templateOf("db"),
    ...spec,
  },
});
const isSeen = ({ metadata, status }: any): boolean => status?.observedGeneration === metadata.generation;
const available =
  (count: number) =>
  ({ status }: any): boolean =>
    (status?.availableReplicas ?? 0) === count && (status?.replicas ?? 0) === count;
const ready = (count: number) => (object: any) => isSeen(object) && available(count)(object);
const ofPod = (object: any): object => {
  const { hostname, subdomain, volumes } = object.spec;
  return { ...identity(object), hostname, subdomain, volumes };
};
const ofRevision = (object: any): object => ({ ...identity(object), revision: object.revision, data: object.data });

/** With the order of its members, which clients compare. */
const asText = ({ revision, data }: any): object => ({ revision, data: JSON.stringify(data) });

const isImage = ({ containers }: any, image: string): boolean => containers[0].image === image;
const dataClaim = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], storageClassName: "none", resources: { requests: { storage: "1Gi" } } },
};
const isOwned = ({ metadata }: any): boolean => metadata.ownerReferences?.length > 0;

export const scenarios: Scenarios = {
  "controllers-statefulset": [
    create(
      `${apps}/statefulsets`,
      statefulSet({
        template: templateOf("db", { annotations: held }),
        volumeClaimTemplates: [
          {
            metadata: { name: "data", labels: { kept: "yes" } },
            spec: {
              accessModes: ["ReadWriteOnce"],
              storageClassName: "none",
              resources: { requests: { storage: "1Gi" } },
            },
          },
        ],
      }),
    ),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1, { of: ofRevision }),
    settle(pods, (items) => items.length === 1, { of: ofPod }),
    settles(set, (object) => isSeen(object) && object.status.replicas === 1),
    release("db-0"),
    settle(pods, (items) => items.length === 2, { of: ofPod }),
    settles(set, (object) => object.status.replicas === 2 && object.status.availableReplicas === 1),
    release("db-1"),
    settles(set, ready(2)),
    settle(`${core}/persistentvolumeclaims`, (items) => items.length === 2),
    change(set, { spec: { replicas: 1 } }),
    settles(set, ready(1)),
    settle(pods, (items) => items.length === 1, { of: ofPod }),
    settle(`${core}/persistentvolumeclaims`, (items) => items.length === 2, { of: identity }),
    events({ SuccessfulCreate: 4, SuccessfulDelete: 1 }),
  ],
  "controllers-statefulset-update": [
    create(
      `${apps}/statefulsets`,
      statefulSet({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } } }),
    ),
    settles(set, ready(2)),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1, { of: ofRevision }),
    change(set, { spec: { template: { spec: { containers: [{ name: "c", image: "image:2" }] } } } }),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 2, { of: identity, unrecorded: true }),
    settles(
      `${pods}/db-1`,
      ({ spec, status }) => spec.containers[0].image === "image:2" && status.phase === "Running",
      {
        pick: identity,
      },
    ),
    settles(set, (object) => ready(2)(object) && object.status.updatedReplicas === 1),
    settles(`${pods}/db-0`, () => true, { pick: ({ spec }) => spec.containers[0].image }),
    change(set, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } }),
    settles(set, (object) => ready(2)(object) && object.status.currentRevision === object.status.updateRevision),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 2, { of: ofRevision }),
    events({ SuccessfulCreate: 4, SuccessfulDelete: 2 }),
    change(set, {
      spec: {
        updateStrategy: { type: "OnDelete", rollingUpdate: null },
        template: { spec: { containers: [{ name: "c", image: "image:1" }] } },
      },
    }),
    settles(set, (object) => isSeen(object) && object.status.currentRevision !== object.status.updateRevision),
    settles(`${pods}/db-1`, () => true, { pick: ({ spec }) => spec.containers[0].image }),
  ],
  "controllers-statefulset-parallel": [
    create(
      `${apps}/statefulsets`,
      statefulSet({ podManagementPolicy: "Parallel", template: templateOf("db", { annotations: held }) }),
    ),
    settle(pods, (items) => items.length === 2, { of: ofPod }),
    settles(set, (object) => isSeen(object) && object.status.replicas === 2),
    change(set, { spec: { replicas: 0 } }),
    settle(pods, (items) => items.length === 0),
    settles(set, ready(0)),
    events({ SuccessfulCreate: 2, SuccessfulDelete: 2 }),
  ],
  "controllers-statefulset-canary": [
    create(
      `${apps}/statefulsets`,
      statefulSet({
        revisionHistoryLimit: 0,
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
      }),
    ),
    settles(set, ready(2)),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1, { of: asText }),
    change(set, { spec: { template: { spec: { containers: [{ name: "c", image: "image:2" }] } } } }),
    settles(`${pods}/db-1`, ({ spec, status }) => isImage(spec, "image:2") && status.phase === "Running", {
      pick: identity,
    }),
    // A pod below the partition comes back as it was.
    change(`${pods}/db-0`, { metadata: { annotations: { first: "yes" } } }),
    remove(`${pods}/db-0`),
    settles(`${pods}/db-0`, ({ metadata, status }) => !metadata.annotations?.first && status.phase === "Running", {
      pick: ({ spec, ...pod }) => ({ ...identity(pod), image: spec.containers[0].image }),
    }),
    settles(set, (object) => ready(2)(object) && object.status.updatedReplicas === 1),
    change(set, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } }),
    settles(set, (object) => ready(2)(object) && object.status.currentRevision === object.status.updateRevision),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1, { of: asText }),
  ],
  "controllers-statefulset-availability": [
    create(`${apps}/statefulsets`, statefulSet({ minReadySeconds: 15 })),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1, { of: ofRevision }),
    settles(set, (object) => isSeen(object) && object.status.readyReplicas === 1),
    { advance: 16 },
    settles(set, (object) => object.status.readyReplicas === 2),
    { advance: 16 },
    settles(set, ready(2)),
  ],
  "controllers-statefulset-claims": [
    create(
      `${apps}/statefulsets`,
      statefulSet({
        podManagementPolicy: "Parallel",
        persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" },
        template: templateOf("db", { annotations: held }),
        volumeClaimTemplates: [dataClaim],
      }),
    ),
    settle(claims, (items) => items.length === 2 && items.every(isOwned), { of: identity }),
    change(set, { spec: { replicas: 1 } }),
    settle(claims, (items) => items.length === 1, { of: identity }),
    change(set, { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain" } } }),
    settle(claims, ([claim]) => !isOwned(claim), { of: identity }),
    change(set, { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } } }),
    settle(claims, ([claim]) => isOwned(claim), { of: identity }),
    remove(set),
    settle(claims, (items) => items.length === 0),
  ],
  "controllers-statefulset-orphans": [
    create(`${apps}/statefulsets`, statefulSet({ replicas: 1 })),
    settles(set, ready(1)),
    remove(set, { propagationPolicy: "Orphan" }),
    // A real controller may write the status of the former set to the next one.
    gone(set),
    settle(pods, ([pod]) => pod && !isOwned(pod), { of: identity }),
    settle(`${apps}/controllerrevisions`, ([revision]) => !isOwned(revision), { of: ofRevision }),
    create(`${apps}/statefulsets`, statefulSet({ replicas: 1 })),
    settles(set, available(1), { pick: identity }),
    settle(pods, ([pod]) => isOwned(pod), { of: identity }),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1 && isOwned(items[0]), { of: ofRevision }),
    change(`${pods}/db-0`, { metadata: { labels: { app: "other" } } }),
    settles(`${pods}/db-0`, (pod) => !isOwned(pod), { pick: identity }),
    // Its name is taken.
    settles(set, available(0), { pick: identity }),
    change(`${pods}/db-0`, { metadata: { labels: { app: "db" } } }),
    settles(`${pods}/db-0`, isOwned, { pick: identity }),
    settles(set, available(1), { pick: identity }),
    events({ SuccessfulCreate: 1 }),
  ],
  "controllers-statefulset-adopts": [
    ...["db-0", "other"].map((name) =>
      create(pods, { ...templateOf("db"), metadata: { name, labels: { app: "db" } } }),
    ),
    create(`${apps}/statefulsets`, statefulSet({ replicas: 1, updateStrategy: { type: "OnDelete" } })),
    settle(`${apps}/controllerrevisions`, (items) => items.length === 1, { of: ofRevision }),
    settles(`${pods}/db-0`, ({ metadata }) => metadata.labels["apps.kubernetes.io/pod-index"], { pick: ofPod }),
    settles(set, ready(1)),
    settles(`${pods}/other`, () => true, { pick: identity }),
    events({ SuccessfulUpdate: 1 }),
  ],
};
