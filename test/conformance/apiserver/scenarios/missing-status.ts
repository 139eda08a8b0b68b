import { customKind } from "../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenario } from "../scenario.ts";

const core = "/api/v1/namespaces/{ns}";
/** Applies the status of an object that does not exist. */
const applyStatus = (path: string, object: any): RequestStep => ({
  request: `PATCH ${path}/${object.metadata.name}/status?fieldManager=me&force=true`,
  headers: apply,
  body: object,
});

const service = (name: string, more: object): object => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  ...more,
});
const ingress = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
const missing = customKind("missing-status", { subresources: { status: {} } });

export const missingStatusScenarios: readonly Scenario[] = [
  {
    name: "missing-status",
    steps: [
      applyStatus(`${core}/services`, service("without-ports", {})),
      applyStatus(`${core}/services`, { ...service("other", {}), kind: "Other" }),
      { request: `PATCH ${core}/services/patched/status`, headers: merge, body: { status: ingress } },
      applyStatus(`${core}/pods`, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "pod" },
        status: { phase: "Running" },
      }),
      applyStatus("/apis/apps/v1/namespaces/{ns}/deployments", {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "deployment" },
        status: { replicas: 1 },
      }),
      ...missing.install,
      applyStatus(missing.path, missing.object("thing", { status: { x: "y" } })),
      applyStatus(missing.path, { ...missing.object("thing"), kind: "Other" }),
    ],
  },
];
