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
import { apps, pods } from "../../steps.ts";

const sets = `${apps}/replicasets`;
const pod = (name: string, labels: object) => ({ ...templateOf("a"), metadata: { name, labels } });

export const scenarios: Scenarios = {
  "controllers-replicaset": [
    create(pods, pod("stray", { app: "a", own: "yes" })),
    create(sets, {
      metadata: { name: "a" },
      spec: { replicas: 2, selector: { matchLabels: { app: "a" } }, template: templateOf("a") },
    }),
    settles(`${sets}/a`, ({ status }) => status.availableReplicas === 2),
    settle(pods, (items) => items.length === 2, { of: identity }),
    change(`${pods}/stray`, { metadata: { labels: { app: "b" } } }),
    settles(`${pods}/stray`, ({ metadata }) => !metadata.ownerReferences, { pick: identity }),
    // Until its controller has missed the stray pod, the status of the set is that of before.
    settle(pods, (items) => items.length === 3 && items.every(({ status }) => status.phase === "Running"), {
      of: identity,
    }),
    settles(`${sets}/a`, ({ status }) => status.availableReplicas === 2 && status.fullyLabeledReplicas === 2),
    events({ SuccessfulCreate: 2 }),
    // One that is too many, and goes first.
    create(pods, { ...templateOf("a"), metadata: { name: "late", labels: { app: "a" }, annotations: held } }),
    gone(`${pods}/late`),
    change(`${sets}/a`, { spec: { minReadySeconds: 3600 } }),
    settles(`${sets}/a`, ({ status }) => status.observedGeneration === 2 && status.readyReplicas === 2),
    change(`${sets}/a`, { spec: { replicas: 1, minReadySeconds: 0 } }),
    settles(
      `${sets}/a`,
      ({ status }) => status.replicas === 1 && status.availableReplicas === 1 && !status.terminatingReplicas,
    ),
    remove(`${sets}/a?propagationPolicy=Orphan`),
    settle(sets, (items) => items.length === 0),
    settle(pods, (items) => items.length === 2 && items.every(({ metadata }) => !metadata.ownerReferences), {
      of: identity,
    }),
  ],
  "controllers-replicaset-failure": [
    create(sets, {
      metadata: { name: "a" },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: "a" } },
        template: templateOf("a", { annotations: held, priorityClassName: "missing" }),
      },
    }),
    settles(`${sets}/a`, ({ status }) => status.conditions?.length > 0),
    create("/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name: "missing" }, value: 1 }),
    settles(`${sets}/a`, ({ status }) => status.replicas === 1),
  ],
};
