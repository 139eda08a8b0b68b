import { expect, it } from "vitest";
import { decodeError, metaDecodeError } from "../../../../src/apiserver/registry/decode-error.ts";

const container = (fields: object) => ({ spec: { template: { spec: { containers: [{ name: "c", ...fields }] } } } });

it.each<[object, string]>([
  [{ spec: { replicas: "2" } }, "string into Go struct field DeploymentSpec.spec.replicas of type int32"],
  [{ spec: { replicas: 1.5 } }, "number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32"],
  [{ metadata: { labels: { a: true } } }, "bool into Go struct field ObjectMeta.metadata.labels of type string"],
  [{ metadata: { finalizers: "x" } }, "string into Go struct field ObjectMeta.metadata.finalizers of type []string"],
  [
    container({ command: "sh" }),
    "string into Go struct field Container.spec.template.spec.containers.command of type []string",
  ],
])("names the field of %j", (deployment, text) => {
  expect(decodeError("io.k8s.api.apps.v1.Deployment", deployment as Record<string, unknown>)).toBe(
    `json: cannot unmarshal ${text}`,
  );
});

it.each([
  ["x", /^quantities must match the regular expression '/],
  [{}, /^quantities must match the regular expression '/],
  ["1".repeat(129), /^quantities may have at most 128 digits$/],
])("says what is wrong with the quantity %j", (cpu, why) => {
  const deployment = container({ resources: { limits: { cpu } } });
  expect(decodeError("io.k8s.api.apps.v1.Deployment", deployment)).toMatch(why);
});

it.each([{}, { spec: null }, container({ image: "i", args: [], ports: [{ containerPort: 80 }] }), { unknown: 1 }])(
  "accepts %j",
  (deployment) => {
    expect(decodeError("io.k8s.api.apps.v1.Deployment", deployment)).toBeUndefined();
  },
);

it("accepts only RFC 3339 with microseconds as a MicroTime", () => {
  const errorOf = (renewTime: string) => decodeError("io.k8s.api.coordination.v1.Lease", { spec: { renewTime } });
  expect(errorOf("2026-01-01T00:00:00.000000Z")).toBeUndefined();
  for (const time of ["today", "2026-01-01T00:00:00Z", "2026-13-01T00:00:00.000000Z"])
    expect(errorOf(time)).toBe(
      "json: cannot unmarshal string into Go struct field LeaseSpec.spec.renewTime of type v1.MicroTime",
    );
});

it("checks the metadata of custom resources", () => {
  expect(metaDecodeError(5)).toBe("json: cannot unmarshal number into Go value of type v1.ObjectMeta");
  expect(metaDecodeError({ name: "a", generation: 1 })).toBeUndefined();
});
