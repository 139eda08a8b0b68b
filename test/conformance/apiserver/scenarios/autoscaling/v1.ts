import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const autoscalers = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers`;
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const create = (version: string, name: string, spec: object, metadata: object = {}): RequestStep =>
  POST(autoscalers(version), {
    metadata: { name, ...metadata },
    spec: { scaleTargetRef, maxReplicas: 3, ...spec },
  });
const shown = (version: string, name: string): RequestStep => GET(`${autoscalers(version)}/${name}`);
/** The older version of autoscalers: another view of the same objects. */
export const scenarios: Scenarios = {
  "autoscaling-v1": [
    create("v1", "plain", {}),
    shown("v2", "plain"),
    create("v1", "cpu", { minReplicas: 2, targetCPUUtilizationPercentage: 70 }, { annotations: { a: "b" } }),
    shown("v2", "cpu"),
    PATCH(`${autoscalers("v1")}/cpu/status`, merge, {
      status: { currentReplicas: 2, desiredReplicas: 2, currentCPUUtilizationPercentage: 33 },
    }),
    shown("v2", "cpu"),
    create("v1", "wrong", { minReplicas: 5, scaleTargetRef: {} }),
    create("v1", "also-wrong", { targetCPUUtilizationPercentage: 0 }),
    GET(autoscalers("v1"), {
      pick: ({ kind, apiVersion, items }) => [kind, apiVersion, items.map(({ spec }: any) => spec)],
    }),
    GET(autoscalers("v1"), {
      headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
      pick: ({ rows }) => rows.map(({ cells }: any) => cells.slice(0, -1)),
    }),
    DELETE(`${autoscalers("v1")}/plain`),
    GET(`${autoscalers("v2")}/plain`),
  ],
};
