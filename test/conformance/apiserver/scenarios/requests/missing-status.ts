import { customKind } from "../../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { core } from "../../steps.ts";
import { PATCH } from "../../requests.ts";

/** Applies the status of an object that does not exist. */
const applyStatus = (path: string, object: any): RequestStep =>
  PATCH(`${path}/${object.metadata.name}/status?fieldManager=me&force=true`, apply, object);

const service = (name: string, more: object): object => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  ...more,
});
const ingress = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
const missing = customKind("missing-status", { subresources: { status: {} } });

export const scenarios: Scenarios = {
  "missing-status": [
    applyStatus(`${core}/services`, service("without-ports", {})),
    applyStatus(`${core}/services`, { ...service("other", {}), kind: "Other" }),
    PATCH(`${core}/services/patched/status`, merge, { status: ingress }),
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
};
