import type { Scenario } from "../../scenario.ts";
import { apps, change, core, create, events, identity, settle, settles, templateOf } from "./watching.ts";

const set = `${apps}/daemonsets/agent`;
const isSeen = ({ metadata, status }: any): boolean => status?.observedGeneration === metadata.generation;
const ofPod = (object: any): object => {
  const { affinity, tolerations, nodeName } = object.spec;
  return { ...identity(object), affinity, tolerations, nodeName };
};
const ofRevision = (object: any): object => ({ ...identity(object), revision: object.revision, data: object.data });

export const daemonSetScenarios: readonly Scenario[] = [
  {
    name: "controllers-daemonset",
    controllers: true,
    steps: [
      create(`${apps}/daemonsets`, {
        metadata: { name: "agent" },
        spec: { selector: { matchLabels: { app: "agent" } }, template: templateOf("agent") },
      }),
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
  },
];
