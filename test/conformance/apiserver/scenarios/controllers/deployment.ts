import {
  brief,
  change,
  condition,
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
import { apps, pods } from "../../steps.ts";

const web = `${apps}/deployments/web`;
const sets = `${apps}/replicasets`;
const image = (name: string) => ({ spec: { template: { spec: { containers: [{ name: "c", image: name }] } } } });
const deployment = (spec: object) => ({
  metadata: { name: "web", labels: { tier: "front" }, annotations: { team: "a" } },
  spec: { replicas: 2, selector: { matchLabels: { app: "web" } }, template: templateOf("web"), ...spec },
});
const isSeen = ({ metadata, status }: any): boolean => status?.observedGeneration === metadata.generation;
const isComplete = (object: any): boolean =>
  isSeen(object) &&
  condition(object, "Progressing")?.reason === "NewReplicaSetAvailable" &&
  !object.status.unavailableReplicas &&
  !object.status.terminatingReplicas &&
  (object.status.updatedReplicas ?? 0) === object.spec.replicas &&
  (object.status.replicas ?? 0) === object.spec.replicas;
const complete = settles(web, isComplete);
const ofSet = (object: any): object => ({
  ...brief(object),
  selector: object.spec.selector,
  template: object.spec.template.metadata,
});
const replicaSets = (...replicas: number[]) =>
  settle(
    sets,
    (items) => {
      const counts = items.map(({ spec, status }) =>
        spec.replicas === (status.availableReplicas ?? 0) &&
        spec.replicas === status.replicas &&
        !status.terminatingReplicas
          ? spec.replicas
          : -1,
      );
      return String(counts.toSorted()) === String(replicas);
    },
    { of: ofSet },
  );

/** A change whose pods do not become available. */
const stuck = (name: string) => {
  const { spec } = image(name).spec.template;
  return { spec: { template: { metadata: { annotations: held }, spec } } };
};

const ofTier = (name: string) => ({
  metadata: { labels: { app: "web", tier: "a" } },
  spec: { containers: [{ name: "c", image: name }] },
});
const podsOf = (items: any[], image: string): number | undefined =>
  items.find(({ spec }) => spec.template.spec.containers[0].image === image)?.status.replicas;
const isManager = ({ manager }: any): boolean => manager === "kube-controller-manager";

/** Only so that its hash gets a name. */
const named = settle(sets, (items) => items.length === 1, { unrecorded: true });

/** Deployments and what becomes of them. */
export const scenarios: Scenarios = {
  "controllers-deployment": [
    create(`${apps}/deployments`, deployment({ template: templateOf("web", { annotations: held }) })),
    settle(sets, ([set]) => set?.status.replicas === 2, { of: ofSet }),
    settle(pods, (items) => items.length === 2, {
      of: identity,
      save: { first: "items.0.metadata.name", second: "items.1.metadata.name" },
    }),
    settles(web, (object) => object.status.unavailableReplicas === 2 && object.status.replicas === 2),
    events({ ScalingReplicaSet: 1, SuccessfulCreate: 2 }),
    change(`${pods}/{first}`, { metadata: { annotations: { "tsop.dev/keep-pending": null } } }),
    settles(web, (object) => object.status.availableReplicas === 1),
    change(`${pods}/{second}`, { metadata: { annotations: { "tsop.dev/keep-pending": null } } }),
    complete,
    replicaSets(2),
    change(`${web}/scale`, { spec: { replicas: 3 } }),
    settles(web, (object) => isSeen(object) && object.status.replicas === 3 && object.status.unavailableReplicas === 1),
    change(`${web}/scale`, { spec: { replicas: 1 } }),
    settles(
      web,
      (object) =>
        isSeen(object) &&
        object.status.replicas === 1 &&
        !object.status.unavailableReplicas &&
        !object.status.terminatingReplicas,
    ),
    replicaSets(1),
    change(`${web}/scale`, { spec: { replicas: 0 } }),
    settles(web, (object) => isSeen(object) && !object.status.replicas && !object.status.terminatingReplicas),
    events({ ScalingReplicaSet: 4, SuccessfulCreate: 3, SuccessfulDelete: 3 }),
    remove(web),
    gone(web),
    settle(sets, (items) => items.length === 0),
  ],
  "controllers-deployment-owners": {
    managedFields: true,
    steps: [
      create(`${apps}/deployments`, deployment({})),
      named,
      complete,
      settles(web, isComplete, { pick: ({ metadata }) => metadata.managedFields }),
      settle(sets, ([set]) => set.status.availableReplicas === 2, { of: ({ metadata }) => metadata.managedFields }),
      // Kubelet and scheduler are the same on both servers.
      settle(pods, () => true, { of: ({ metadata }) => metadata.managedFields.filter(isManager) }),
    ],
  },
  "controllers-rollout": [
    create(`${apps}/deployments`, deployment({})),
    complete,
    replicaSets(2),
    change(web, image("image:2")),
    complete,
    replicaSets(0, 2),
    change(web, image("image:1")),
    complete,
    replicaSets(0, 2),
    events({ ScalingReplicaSet: 9, SuccessfulCreate: 6, SuccessfulDelete: 4 }),
  ],
  "controllers-repeated-events": [
    create(`${apps}/deployments`, deployment({ replicas: 1 })),
    named,
    complete,
    // The second time is counted; the tenth message is combined with those that follow.
    ...[2, 1, 2, 3, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((replicas) => [
      change(`${web}/scale`, { spec: { replicas } }),
      settles(web, isComplete, { unrecorded: true }),
    ]),
    events({ ScalingReplicaSet: 13 }, "?fieldSelector=reason=ScalingReplicaSet"),
  ],
  "controllers-rollover": [
    create(`${apps}/deployments`, deployment({ strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } })),
    complete,
    replicaSets(2),
    change(web, stuck("image:2")),
    settle(sets, (items) => podsOf(items, "image:2") === 1, { of: ofSet }),
    settles(web, (object) => isSeen(object) && condition(object, "Progressing").reason === "ReplicaSetUpdated"),
    // The pod that never became available makes room, and not one of the others.
    change(web, stuck("image:3")),
    settle(sets, (items) => podsOf(items, "image:2") === 0 && podsOf(items, "image:3") === 1, { of: ofSet }),
    events({ ScalingReplicaSet: 4, SuccessfulCreate: 4, SuccessfulDelete: 1 }),
  ],
  "controllers-deployment-availability": [
    create(`${apps}/deployments`, deployment({ replicas: 1, minReadySeconds: 15 })),
    settles(web, (object) => isSeen(object) && object.status.readyReplicas === 1),
    { advance: 16 },
    complete,
    change(web, { spec: { minReadySeconds: 5 } }),
    settle(sets, ([set]) => set.spec.minReadySeconds === 5, { of: ({ spec }) => spec.minReadySeconds }),
    complete,
  ],
  "controllers-deployment-adopts": [
    create(sets, {
      metadata: {
        name: "before",
        labels: { app: "web" },
        // The next one has more digits than a double.
        annotations: { "deployment.kubernetes.io/revision": "3546343826724305832" },
      },
      spec: { replicas: 2, selector: { matchLabels: { app: "web", tier: "a" } }, template: ofTier("image:1") },
    }),
    settles(`${sets}/before`, ({ status }) => status.availableReplicas === 2),
    create(`${apps}/deployments`, deployment({ template: ofTier("image:2") })),
    complete,
    replicaSets(0, 2),
    change(`${sets}/before`, { metadata: { labels: { app: "other" } } }),
    settles(`${sets}/before`, ({ metadata }) => !metadata.ownerReferences),
    events({ ScalingReplicaSet: 4, SuccessfulCreate: 4, SuccessfulDelete: 2 }),
  ],
  "controllers-pause": [
    create(`${apps}/deployments`, deployment({ paused: true })),
    settles(web, (object) => isSeen(object) && condition(object, "Progressing")),
    settle(sets, () => true),
    change(web, { spec: { paused: false } }),
    complete,
    change(web, { spec: { paused: true, ...image("image:2").spec } }),
    settles(web, (object) => isSeen(object) && condition(object, "Progressing").reason === "DeploymentPaused"),
    change(web, { spec: { replicas: 3 } }),
    settles(web, (object) => isSeen(object) && object.status.availableReplicas === 3),
    replicaSets(3),
    change(web, { spec: { paused: false } }),
    complete,
    replicaSets(0, 3),
  ],
  "controllers-recreate": [
    create(`${apps}/deployments`, deployment({ strategy: { type: "Recreate" } })),
    named,
    complete,
    change(web, image("image:2")),
    complete,
    replicaSets(0, 2),
    events({ ScalingReplicaSet: 3, SuccessfulCreate: 4, SuccessfulDelete: 2 }),
  ],
  "controllers-history": [
    create(`${apps}/deployments`, deployment({ replicas: 1, revisionHistoryLimit: 1 })),
    complete,
    replicaSets(1),
    change(web, image("image:2")),
    complete,
    replicaSets(0, 1),
    change(web, image("image:3")),
    complete,
    replicaSets(0, 1),
  ],
  "controllers-deadline": [
    create(
      `${apps}/deployments`,
      deployment({ progressDeadlineSeconds: 15, template: templateOf("web", { annotations: held }) }),
    ),
    settles(
      web,
      (object) => object.status.replicas === 2 && condition(object, "Progressing")?.reason === "ReplicaSetUpdated",
    ),
    named,
    { advance: 17 },
    settles(web, (object) => condition(object, "Progressing")?.status === "False"),
  ],
};
