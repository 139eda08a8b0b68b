import { customKind } from "../../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenario, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST } from "../../requests.ts";
import { text } from "../../steps.ts";

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: "object",
  properties,
  ...more,
});
const keyedBy = (key: string) => ({
  type: "array",
  items: object({ [key]: { type: "integer" }, name: text, more: text }, { required: [key] }),
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": [key],
});

/** The fields of each version; `convert-review.ts` converts them. */
const fields: Readonly<Record<string, Record<string, unknown>>> = {
  v1: { host: text, ports: keyedBy("port"), tags: { type: "array", items: text, "x-kubernetes-list-type": "set" } },
  v2: {
    endpoint: object({ address: text, listeners: keyedBy("number") }),
    labels: { type: "object", additionalProperties: text },
  },
};

const clientConfig = { url: "{webhook}/convert", caBundle: "{ca}" };
const converted = (name: string, storage: string) =>
  customKind(
    name,
    {},
    {
      conversion: { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } },
      versions: ["v1", "v2"].map((version) => ({
        name: version,
        served: true,
        storage: version === storage,
        schema: {
          openAPIV3Schema: object({
            spec: object({ x: text, y: text, ...fields[version] }),
            status: object({ phase: text }),
          }),
        },
        subresources: { status: {} },
      })),
    },
  );

/** Requests of one version; managers apply in both, and each owns fields by the names of its version. */
const steps = (name: string, storage: string): Scenario["steps"] => {
  const kind = converted(name, storage);
  const on = (version: "v1" | "v2") => {
    const path = kind.path.replace("/v1/", `/${version}/`);
    const apiVersion = `${kind.crd.spec.group}/${version}`;
    const whole = (object: string, spec: unknown): unknown => ({ ...kind.object(object, { spec }), apiVersion });
    return {
      apply: (object: string, manager: string, spec: unknown, query = ""): RequestStep =>
        PATCH(`${path}/${object}?fieldManager=${manager}${query}`, apply, whole(object, spec)),
      patch: (object: string, manager: string, body: unknown): RequestStep =>
        PATCH(`${path}/${object}?fieldManager=${manager}`, merge, body),
      post: (object: string, spec: unknown): RequestStep => POST(`${path}?fieldManager=creator`, whole(object, spec)),
      phase: (object: string, manager: string, phase: string): RequestStep =>
        PATCH(`${path}/${object}/status?fieldManager=${manager}`, apply, {
          ...kind.object(object, { status: { phase } }),
          apiVersion,
        }),
      get: (object: string): RequestStep => GET(`${path}/${object}`),
    };
  };
  const [v1, v2] = [on("v1"), on("v2")];
  return [
    ...kind.install,
    // Managers of both versions, each with fields of its own.
    v1.apply("a", "one", { host: "a", x: "1", ports: [{ port: 1, name: "one" }], tags: ["s", "t"] }),
    v2.apply("a", "two", { y: "1", endpoint: { listeners: [{ number: 2, name: "two" }] }, labels: { u: "yes" } }),
    v1.get("a"),
    v2.get("a"),
    // The same value is shared, and another one is a conflict, under the name of the version that is applied.
    v2.apply("a", "three", { endpoint: { address: "a" } }),
    v2.apply("a", "four", { endpoint: { address: "b", listeners: [{ number: 1, name: "other" }] } }),
    v1.apply("a", "four", { y: "2", host: "b" }),
    // Force takes the field from the managers of both versions.
    v2.apply("a", "four", { endpoint: { address: "b" } }, "&force=true"),
    // A manager changes its version, and drops fields.
    v2.apply("a", "one", { x: "1", endpoint: { listeners: [{ number: 1, name: "one" }] } }),
    v1.apply("a", "two", { y: "1" }),
    v1.apply("a", "four", {}),
    v2.get("a"),
    // Updates beside applies, by the same manager through two versions.
    v1.post("b", { host: "b", x: "1", ports: [{ port: 1 }] }),
    v2.patch("b", "edit", { spec: { endpoint: { address: "c" } } }),
    v1.patch("b", "edit", { spec: { x: "2" } }),
    v2.apply("b", "one", { endpoint: { address: "c", listeners: [{ number: 1, more: "m" }] } }),
    v1.patch("b", "edit", { spec: { host: "d" } }),
    v2.apply("b", "one", { endpoint: { listeners: [{ number: 1, more: "m" }] } }),
    v1.patch("b", "edit", { spec: { host: null, ports: null } }),
    v2.apply("b", "one", {}),
    v2.phase("b", "status", "Ready"),
    v1.phase("b", "status", "Done"),
    v1.get("b"),
    // A create by apply in the version that is not stored, without a change, and with a dry run.
    v2.apply("c", "one", { endpoint: { address: "c" }, labels: { s: "yes" } }),
    v2.apply("c", "one", { endpoint: { address: "c" }, labels: { s: "yes" } }),
    v1.apply("c", "one", { host: "e" }, "&dryRun=All"),
    v1.apply("c", "one", { host: "c", tags: ["s"] }),
    v1.get("c"),
  ];
};

export const scenarios: Scenarios = {
  "apply-conversion-v1": { managedFields: true, steps: steps("apply-conversion-v1", "v1") },
  "apply-conversion-v2": { managedFields: true, steps: steps("apply-conversion-v2", "v2") },
};
