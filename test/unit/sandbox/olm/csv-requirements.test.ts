import { kubernetesVersion } from "../../../../src/apimachinery/kubernetes-version.ts";
import { afterEach, expect, it } from "vitest";
import {
  RoleBindingKind,
  RoleKind,
  ServiceAccountKind,
} from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { checkRequirements, isMet } from "../../../../src/sandbox/olm/csv-requirements.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";

const stopping = new AbortController();
afterEach(() => stopping.abort());

it.each([
  ["deployments/scale", "*/scale", true],
  ["deployments/scale", "deployments", false],
])("requires %s of an account that has %s", async (resource, granted, met) => {
  const { client } = await startSandbox({ simulate: false }, stopping.signal);
  const metadata = { namespace: "default", name: "operator" };
  const ruleFor = (each: string) => ({ apiGroups: ["apps"], resources: [each], verbs: ["get"] });
  await client.create(ServiceAccountKind, { metadata });
  await client.create(RoleKind, { metadata, rules: [ruleFor(granted)] });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "operator" };
  const subjects = [{ kind: "ServiceAccount", name: "operator", namespace: "default" }];
  await client.create(RoleBindingKind, { metadata, roleRef, subjects });

  const permissions = [{ serviceAccountName: "operator", rules: [ruleFor(resource)] }];
  const install = { strategy: "deployment", spec: { deployments: [], permissions } };
  const csv = { metadata: { namespace: "default", name: "thing.v1" }, spec: { install } };
  const [account] = await checkRequirements({ kubernetesVersion }, client, csv);
  expect(account).toMatchObject({ kind: "ServiceAccount", name: "operator" });
  expect(isMet(account!)).toBe(met);
});
