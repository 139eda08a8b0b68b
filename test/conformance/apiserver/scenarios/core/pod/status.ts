import { merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { pods } from "../../../steps.ts";
import { PATCH, POST } from "../../../requests.ts";

const create = (name: string, spec: object): RequestStep =>
  POST(
    pods,
    { metadata: { name }, spec: { containers: [{ name: "c", image: "i:1" }], ...spec } },
    { pick: ({ status }) => status },
  );
const report = (name: string, status: object): RequestStep =>
  PATCH(`${pods}/${name}/status`, merge, { status }, { pick: ({ message, status }) => message ?? status });
const ended = (name: string, exitCode: number): object => ({ name, state: { terminated: { exitCode } } });
const running = (name: string): object => ({ name, state: { running: {} } });
const waiting = (name: string): object => ({ name, state: { waiting: {} } });

/** What a status of a pod may say. */
export const scenarios: Scenarios = {
  "pod-status-values": [
    create("a", {}),
    report("a", { qosClass: "Guaranteed" }),
    report("a", { qosClass: null, observedGeneration: -1 }),
    report("a", { nominatedNodeName: "A b" }),
    report("a", { nominatedNodeName: "node-1" }),
    create("bound", { nodeName: "node-1" }),
    report("bound", { nominatedNodeName: "node_2" }),
    report("a", { conditions: [{ type: "A b", status: "True", observedGeneration: -2 }] }),
    report("a", { conditions: [{ status: "True" }] }),
    report("a", { conditions: [{ type: "example.com/up", status: "Perhaps" }] }),
    report("a", {
      qosClass: "Burstable",
      podIPs: [{ ip: "x" }],
      nominatedNodeName: "N",
      conditions: [{ type: "-" }],
    }),
  ],
  "pod-status-restarts": [
    create("never", { restartPolicy: "Never", initContainers: [{ name: "i", image: "i:1" }] }),
    report("never", {
      containerStatuses: [ended("c", 1), ended("other", 0)],
      initContainerStatuses: [ended("i", 1)],
    }),
    report("never", { containerStatuses: [running("other"), waiting("c")], initContainerStatuses: [running("i")] }),
    report("never", { containerStatuses: [] }),
    report("never", { ephemeralContainerStatuses: [ended("e", 0)] }),
    report("never", { ephemeralContainerStatuses: [running("e")] }),
    create("on-failure", {
      restartPolicy: "OnFailure",
      initContainers: [{ name: "sidecar", image: "i:1", restartPolicy: "Always" }],
    }),
    report("on-failure", { containerStatuses: [ended("c", 1)], initContainerStatuses: [ended("sidecar", 0)] }),
    report("on-failure", { containerStatuses: [running("c")], initContainerStatuses: [running("sidecar")] }),
    report("on-failure", { containerStatuses: [ended("c", 0)] }),
    report("on-failure", { containerStatuses: [running("c")] }),
    create("always", {}),
    report("always", { containerStatuses: [ended("c", 0)], ephemeralContainerStatuses: [ended("e", 1)] }),
    report("always", { containerStatuses: [running("c")], ephemeralContainerStatuses: [waiting("e")] }),
    create("ruled", {
      restartPolicy: "Never",
      containers: [
        {
          name: "c",
          image: "i:1",
          restartPolicy: "Never",
          restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [3] } }],
        },
      ],
    }),
    report("ruled", { containerStatuses: [ended("c", 3)] }),
    report("ruled", { containerStatuses: [running("c")] }),
    report("ruled", { containerStatuses: [ended("c", 4)] }),
    report("ruled", { containerStatuses: [running("c")] }),
    create("all", {
      restartPolicy: "Never",
      containers: [
        {
          name: "c",
          image: "i:1",
          restartPolicy: "Never",
          restartPolicyRules: [{ action: "RestartAllContainers", exitCodes: { operator: "NotIn", values: [3] } }],
        },
        { name: "d", image: "i:1" },
      ],
    }),
    report("all", { containerStatuses: [ended("d", 3)] }),
    report("all", { containerStatuses: [running("d")] }),
  ],
};
