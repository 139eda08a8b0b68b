import { crds, customKind, schemaOf } from "../../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenario, type Scenarios } from "../../scenario.ts";
import { configure, remove, webhook } from "../../webhook-configurations.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";
import { text } from "../../steps.ts";

const clientConfig = { url: "{webhook}/convert", caBundle: "{ca}" };
const withDefault = (value: string) => ({ ...text, default: value });
type Fields = Readonly<Record<string, Record<string, unknown>>>;
const fields: Fields = {
  v1: { x: withDefault("one"), one: withDefault("1"), old: text },
  v2: { x: withDefault("two"), two: withDefault("2") },
};

/** `convert-review.ts` converts `host` and `endpoint`, and keeps the rest. */
const converted: Fields = {
  v1: { ...fields["v1"], host: withDefault("of-v1") },
  v2: { ...fields["v2"], endpoint: { type: "object", properties: { address: text, more: withDefault("m") } } },
};

const withoutDefaults: Fields = { v1: { x: text, old: text }, v2: { x: text, two: text } };
const versions = (fields: Fields, more: Record<string, unknown> = {}, stored = "v1") =>
  ["v1", "v2"].map((version) => ({
    name: version,
    served: true,
    storage: version === stored,
    schema: { openAPIV3Schema: schemaOf({ ...fields[version], ...(version === "v1" && more) }) },
  }));

/** A kind of two versions, and requests for them. */
const twoVersions = (name: string, fields: Fields, conversion: unknown, stored = "v1") => {
  const kind = customKind(name, {}, { conversion, versions: versions(fields, {}, stored) });
  const on = (version: string): string => kind.path.replace("/v1/", `/${version}/`);
  const whole = (version: string, object: string, spec: unknown): unknown => ({
    ...kind.object(object, { spec }),
    apiVersion: `${kind.crd.spec.group}/${version}`,
  });
  const both = (object: string) => ["v1", "v2"].map((version) => GET(`${on(version)}/${object}`));
  const applying = (version: string, object: string, manager: string, spec: unknown): RequestStep =>
    PATCH(`${on(version)}/${object}?fieldManager=${manager}`, apply, whole(version, object, spec));
  return { ...kind, on, whole, both, applying };
};

/** Refuses an object of a request with the object that the webhook sees in its own version. */
const asking = (group: string, version: string): unknown =>
  webhook("tell", {
    name: `tell-${version}.example.com`,
    rules: [{ apiGroups: [group], apiVersions: [version], resources: ["things"], operations: ["CREATE", "UPDATE"] }],
    objectSelector: { matchLabels: { case: `tell-${version}` } },
  });

const byWebhook = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };

/** Two versions with defaults of their own; objects are stored as v1. */
const steps = (name: string, fields: Fields, conversion: unknown): Scenario["steps"] => {
  const { on, whole, both, applying, ...kind } = twoVersions(name, fields, conversion);
  const labelled = (version: string, label: string): unknown => ({
    ...(whole(version, label, {}) as object),
    metadata: { name: label, labels: { case: label } },
  });
  const webhooks = ["v1", "v2"].map((version) => asking(kind.crd.spec.group, version));
  return [
    ...kind.install,
    POST(on("v2"), whole("v2", "a", {})),
    ...both("a"),
    POST(on("v1"), whole("v1", "b", { old: "o" })),
    ...both("b"),
    GET(on("v1")),
    GET(on("v2")),
    PATCH(`${on("v2")}/b`, merge, { spec: { x: null } }),
    ...both("b"),
    applying("v2", "c", "one", { x: "1" }),
    ...both("c"),
    // The other version has fields that the version of a manager does not declare.
    applying("v1", "c", "two", { one: "one" }),
    PATCH(`${on("v1")}/c?fieldManager=three`, merge, { metadata: { labels: { a: "b" } } }),
    applying("v1", "c", "two", { one: "one" }),
    ...both("c"),
    // A webhook for another version gets the object of the request, converted: it has no defaults of that version.
    ...configure("Validating", name, webhooks),
    POST(on("v2"), labelled("v2", "tell-v1")),
    POST(on("v1"), labelled("v1", "tell-v2")),
    PATCH(`${on("v1")}/c`, merge, { metadata: { labels: { case: "tell-v2" } } }),
    ...remove("validating", name),
    // A dry run is converted without being stored.
    POST(`${on("v2")}?dryRun=All`, whole("v2", "d", {})),
    // Fields and defaults that the CRD gets, and loses, after the objects were stored.
    PATCH(
      `${crds}/${kind.crd.metadata.name}`,
      merge,
      { spec: { versions: versions(fields, { late: withDefault("l"), old: undefined }) } },
      { unrecorded: true },
    ),
    GET(`${on("v1")}/a`, { until: (body) => body.spec.late === "l", unrecorded: true }),
    ...both("b"),
    GET(on("v1")),
    GET(on("v2")),
    DELETE(`${on("v2")}/b`),
  ];
};

/** Fields that the version of another manager does not declare, and that only the new object has. */
const undeclared = (name: string): Scenario["steps"] => {
  const { on, both, applying, install } = twoVersions(name, withoutDefaults, { strategy: "None" });
  return [
    ...install,
    applying("v2", "a", "one", { x: "1" }),
    applying("v1", "a", "two", { old: "o" }),
    applying("v1", "a", "one", { x: "1", old: "o" }),
    ...both("a"),
    PATCH(`${on("v1")}/a?fieldManager=edit`, merge, { spec: { old: "o" } }),
    applying("v1", "a", "two", { old: "o" }),
    applying("v2", "a", "one", { x: "1" }),
    applying("v2", "a", "two", { x: "1" }),
    ...both("a"),
  ];
};

/** A conversion to the other version and back that does not return the same object: a write that changes nothing does. */
const changedByConversion = (name: string): Scenario["steps"] => {
  const map = { type: "object", additionalProperties: text };
  const lossy: Fields = { v1: { tags: { type: "array", items: text } }, v2: { labels: map } };
  const { on, whole, both, applying, ...kind } = twoVersions(name, lossy, byWebhook, "v2");
  return [
    ...kind.install,
    POST(on("v2"), whole("v2", "a", { labels: { u: "no" } })),
    ...both("a"),
    PATCH(`${on("v2")}/a`, merge, {}),
    PATCH(`${on("v1")}/a?dryRun=All`, merge, {}),
    ...both("a"),
    PATCH(`${on("v1")}/a`, merge, {}),
    ...both("a"),
    PATCH(`${on("v1")}/a`, merge, {}),
    POST(on("v2"), whole("v2", "b", { labels: { u: "no" } })),
    applying("v1", "b", "one", { tags: ["u"] }),
    applying("v1", "b", "one", { tags: ["u"] }),
    ...both("b"),
  ];
};

/** Writes that change nothing store an object as a migration of the storage version needs it: in the new version, with new defaults. */
const migrated = (name: string): Scenario["steps"] => {
  const { on, whole, both, ...kind } = twoVersions(name, withoutDefaults, { strategy: "None" });
  const edit = (object: string, manager = "migrator"): RequestStep =>
    PATCH(`${on("v2")}/${object}?fieldManager=${manager}`, merge, {});
  const late = { late: withDefault("l") };
  const migrating = { v1: { ...withoutDefaults["v1"], ...late }, v2: { ...withoutDefaults["v2"], ...late } };
  return [
    ...kind.install,
    ...["a", "b"].map((object) => POST(on("v1"), whole("v1", object, { x: "1" }))),
    edit("a"),
    PATCH(
      `${crds}/${kind.crd.metadata.name}`,
      merge,
      { spec: { versions: versions(migrating, {}, "v2") } },
      { unrecorded: true },
    ),
    GET(`${on("v1")}/a`, { until: (body) => body.spec.late === "l", unrecorded: true }),
    ...both("a"),
    edit("a"),
    ...both("a"),
    edit("a"),
    ...both("b"),
  ];
};

/** Subresources, selectors and watches of a version that is not stored; only v2 can be scaled. */
const parts = (name: string): Scenario["steps"] => {
  const more = { n: { type: "integer", default: 1 }, m: { type: "integer" } };
  const fields: Fields = { v1: { ...converted["v1"], ...more }, v2: { ...converted["v2"], ...more } };
  const selectable = { v1: ".spec.host", v2: ".spec.endpoint.address" };
  const { on, whole, both, applying: _, ...kind } = twoVersions(name, fields, byWebhook);
  kind.crd.spec.versions.forEach((version: any) => {
    const scale = { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" };
    version.subresources = { status: {}, ...(version.name === "v2" && { scale }) };
    version.selectableFields = [{ jsonPath: version.name === "v2" ? selectable.v2 : selectable.v1 }];
  });
  return [
    ...kind.install,
    GET(on("v2"), { until: (_, status) => status === 200, unrecorded: true }),
    { open: "v2", request: `GET ${on("v2")}?watch=true&fieldSelector=spec.endpoint.address=a` },
    POST(on("v1"), whole("v1", "a", { host: "a" })),
    POST(on("v2"), whole("v2", "b", { endpoint: { address: "b" } })),
    POST(on("v2"), whole("v2", "c", {})),
    GET(`${on("v2")}?fieldSelector=spec.endpoint.address=a`),
    GET(`${on("v2")}?fieldSelector=spec.host=a`),
    GET(`${on("v1")}?fieldSelector=spec.host=of-v1`),
    GET(`${on("v2")}/a/scale`),
    GET(`${on("v1")}/a/scale`),
    PATCH(`${on("v2")}/a/scale?fieldManager=scaler`, merge, { spec: { replicas: 3 } }),
    PATCH(`${on("v2")}/c/scale?fieldManager=scaler`, merge, { spec: { replicas: 4 } }),
    ...both("c"),
    PATCH(`${on("v1")}/a/status?fieldManager=s1`, merge, { status: { n: 2 } }),
    PATCH(`${on("v2")}/a/status?fieldManager=s2`, merge, { status: { p: "q" }, spec: { n: 9 } }),
    PATCH(`${on("v2")}/a/status?fieldManager=s3`, apply, {
      ...(whole("v2", "a", undefined) as object),
      status: { r: "s" },
    }),
    ...both("a"),
    PATCH(`${on("v2")}/b?fieldManager=e`, merge, { spec: { endpoint: { address: "a" } } }),
    PATCH(`${on("v1")}/a?fieldManager=e`, merge, { spec: { host: "z" } }),
    { read: "v2", count: 7 },
    DELETE(`${on("v2")}?fieldSelector=spec.endpoint.address=a`),
    DELETE(`${on("v2")}/a?dryRun=All`),
    DELETE(`${on("v1")}/a`),
    GET(on("v2")),
  ];
};

export const scenarios: Scenarios = {
  "conversion-defaults": { managedFields: true, steps: steps("conversion-defaults", converted, byWebhook) },
  "versions-defaults": { managedFields: true, steps: steps("versions-defaults", fields, { strategy: "None" }) },
  "conversion-unchanged": { managedFields: true, steps: changedByConversion("conversion-unchanged") },
  "versions-migrated": { managedFields: true, steps: migrated("versions-migrated") },
  "conversion-parts": { managedFields: true, steps: parts("conversion-parts") },
  "versions-undeclared": { managedFields: true, steps: undeclared("versions-undeclared") },
};
