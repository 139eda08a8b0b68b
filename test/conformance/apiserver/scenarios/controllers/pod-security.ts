import { condition, create, events, settle, settles, templateOf } from "../../controller-steps.ts";
import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { apps, batch, core } from "../../steps.ts";
import { PATCH, POST } from "../../requests.ts";

const selector = { matchLabels: { app: "a" } };
const fails = (object: any): boolean => condition(object, "ReplicaFailure") !== undefined;
const enforce = (level: string) =>
  PATCH(core, merge, { metadata: { labels: { "pod-security.kubernetes.io/enforce": level } } }, { unrecorded: true });

/** A real server learns of the level a moment later. */
const isEnforced = POST(
  `${core}/pods?dryRun=All`,
  { metadata: { name: "a" }, spec: { containers: [{ name: "c", image: "i" }] } },
  { until: (_: unknown, status: number) => status === 403, unrecorded: true },
);

const nameless = (message: string): string => message.replace(/(pods "[^"]*-)\w{5}(?=" is forbidden)/, "$1<suffix>");
const told = events({});

/** What is told of rejected pods, once: each controller tries again at its own pace. */
const failures: RequestStep = {
  ...told,
  until: ({ items }) =>
    ["DaemonSet", "Job", "ReplicaSet", "StatefulSet"].every((kind) =>
      items.some(({ involvedObject, reason }: any) => involvedObject.kind === kind && reason === "FailedCreate"),
    ),
  pick(body) {
    const { items } = told.pick!(body) as { items: any[] };
    const texts = items.map((event) => JSON.stringify({ ...event, count: 0, message: nameless(event.message) }));
    return { items: [...new Set(texts)].map((text) => JSON.parse(text)) };
  },
};

/** Controllers tell that their pods violate the level of the namespace, and go on when it is relaxed. */
export const scenarios: Scenarios = {
  "controllers-pod-security": [
    enforce("restricted"),
    isEnforced,
    create(`${apps}/deployments`, { metadata: { name: "d" }, spec: { selector, template: templateOf("a") } }),
    settles(`${apps}/deployments/d`, (object) => fails(object) && object.status.unavailableReplicas === 1),
    settle(`${apps}/replicasets`, (items) => items.length === 1 && fails(items[0])),
    create(`${batch}/jobs`, {
      metadata: { name: "j" },
      spec: { template: { ...templateOf("j"), spec: { ...(templateOf("j") as any).spec, restartPolicy: "Never" } } },
    }),
    create(`${apps}/statefulsets`, {
      metadata: { name: "s" },
      spec: { serviceName: "s", selector: { matchLabels: { app: "s" } }, template: templateOf("s") },
    }),
    create(`${apps}/daemonsets`, {
      metadata: { name: "n" },
      spec: { selector: { matchLabels: { app: "n" } }, template: templateOf("n") },
    }),
    failures,
    // Only so that their hashes get names.
    settle(`${apps}/controllerrevisions`, (items) => items.length === 2, { unrecorded: true }),
    settles(`${batch}/jobs/j`, ({ status }) => status.startTime !== undefined),
    settles(`${apps}/statefulsets/s`, ({ status }) => status.observedGeneration === 1),
    settles(`${apps}/daemonsets/n`, ({ status }) => status.observedGeneration === 1),
    enforce("privileged"),
    settles(`${apps}/deployments/d`, ({ status }) => status.availableReplicas === 1),
    settles(`${apps}/statefulsets/s`, ({ status }) => status.availableReplicas === 1),
    settles(`${apps}/daemonsets/n`, ({ status }) => status.numberAvailable === 1),
    settles(`${batch}/jobs/j`, (object) => condition(object, "Complete") !== undefined),
  ],
};
