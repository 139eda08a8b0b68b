import { crds, customKind, schemaOf } from "../../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenario } from "../../scenario.ts";
import { configure, remove, webhook } from "../../webhook-configurations.ts";

const clientConfig = { url: "{webhook}/convert", caBundle: "{ca}" };
const text = { type: "string" };
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
  const both = (object: string) => ["v1", "v2"].map((version) => ({ request: `GET ${on(version)}/${object}` }));
  const applying = (version: string, object: string, manager: string, spec: unknown): RequestStep => ({
    request: `PATCH ${on(version)}/${object}?fieldManager=${manager}`,
    headers: apply,
    body: whole(version, object, spec),
  });
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
    { request: `POST ${on("v2")}`, body: whole("v2", "a", {}) },
    ...both("a"),
    { request: `POST ${on("v1")}`, body: whole("v1", "b", { old: "o" }) },
    ...both("b"),
    { request: `GET ${on("v1")}` },
    { request: `GET ${on("v2")}` },
    { request: `PATCH ${on("v2")}/b`, headers: merge, body: { spec: { x: null } } },
    ...both("b"),
    applying("v2", "c", "one", { x: "1" }),
    ...both("c"),
    // The other version has fields that the version of a manager does not declare.
    applying("v1", "c", "two", { one: "one" }),
    { request: `PATCH ${on("v1")}/c?fieldManager=three`, headers: merge, body: { metadata: { labels: { a: "b" } } } },
    applying("v1", "c", "two", { one: "one" }),
    ...both("c"),
    // A webhook for another version gets the object of the request, converted: it has no defaults of that version.
    ...configure("Validating", name, webhooks),
    { request: `POST ${on("v2")}`, body: labelled("v2", "tell-v1") },
    { request: `POST ${on("v1")}`, body: labelled("v1", "tell-v2") },
    { request: `PATCH ${on("v1")}/c`, headers: merge, body: { metadata: { labels: { case: "tell-v2" } } } },
    ...remove("validating", name),
    // A dry run is converted without being stored.
    { request: `POST ${on("v2")}?dryRun=All`, body: whole("v2", "d", {}) },
    // Fields and defaults that the CRD gets, and loses, after the objects were stored.
    {
      request: `PATCH ${crds}/${kind.crd.metadata.name}`,
      headers: merge,
      body: { spec: { versions: versions(fields, { late: withDefault("l"), old: undefined }) } },
      unrecorded: true,
    },
    { request: `GET ${on("v1")}/a`, until: (body) => body.spec.late === "l", unrecorded: true },
    ...both("b"),
    { request: `GET ${on("v1")}` },
    { request: `GET ${on("v2")}` },
    { request: `DELETE ${on("v2")}/b` },
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
    { request: `PATCH ${on("v1")}/a?fieldManager=edit`, headers: merge, body: { spec: { old: "o" } } },
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
    { request: `POST ${on("v2")}`, body: whole("v2", "a", { labels: { u: "no" } }) },
    ...both("a"),
    { request: `PATCH ${on("v2")}/a`, headers: merge, body: {} },
    { request: `PATCH ${on("v1")}/a?dryRun=All`, headers: merge, body: {} },
    ...both("a"),
    { request: `PATCH ${on("v1")}/a`, headers: merge, body: {} },
    ...both("a"),
    { request: `PATCH ${on("v1")}/a`, headers: merge, body: {} },
    { request: `POST ${on("v2")}`, body: whole("v2", "b", { labels: { u: "no" } }) },
    applying("v1", "b", "one", { tags: ["u"] }),
    applying("v1", "b", "one", { tags: ["u"] }),
    ...both("b"),
  ];
};

/** Writes that change nothing store an object as a migration of the storage version needs it: in the new version, with new defaults. */
const migrated = (name: string): Scenario["steps"] => {
  const { on, whole, both, ...kind } = twoVersions(name, withoutDefaults, { strategy: "None" });
  const edit = (object: string, manager = "migrator"): RequestStep => ({
    request: `PATCH ${on("v2")}/${object}?fieldManager=${manager}`,
    headers: merge,
    body: {},
  });
  const late = { late: withDefault("l") };
  const migrating = { v1: { ...withoutDefaults["v1"], ...late }, v2: { ...withoutDefaults["v2"], ...late } };
  return [
    ...kind.install,
    ...["a", "b"].map((object) => ({ request: `POST ${on("v1")}`, body: whole("v1", object, { x: "1" }) })),
    edit("a"),
    {
      request: `PATCH ${crds}/${kind.crd.metadata.name}`,
      headers: merge,
      body: { spec: { versions: versions(migrating, {}, "v2") } },
      unrecorded: true,
    },
    { request: `GET ${on("v1")}/a`, until: (body) => body.spec.late === "l", unrecorded: true },
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
    { request: `GET ${on("v2")}`, until: (_, status) => status === 200, unrecorded: true },
    { open: "v2", request: `GET ${on("v2")}?watch=true&fieldSelector=spec.endpoint.address=a` },
    { request: `POST ${on("v1")}`, body: whole("v1", "a", { host: "a" }) },
    { request: `POST ${on("v2")}`, body: whole("v2", "b", { endpoint: { address: "b" } }) },
    { request: `POST ${on("v2")}`, body: whole("v2", "c", {}) },
    { request: `GET ${on("v2")}?fieldSelector=spec.endpoint.address=a` },
    { request: `GET ${on("v2")}?fieldSelector=spec.host=a` },
    { request: `GET ${on("v1")}?fieldSelector=spec.host=of-v1` },
    { request: `GET ${on("v2")}/a/scale` },
    { request: `GET ${on("v1")}/a/scale` },
    { request: `PATCH ${on("v2")}/a/scale?fieldManager=scaler`, headers: merge, body: { spec: { replicas: 3 } } },
    { request: `PATCH ${on("v2")}/c/scale?fieldManager=scaler`, headers: merge, body: { spec: { replicas: 4 } } },
    ...both("c"),
    { request: `PATCH ${on("v1")}/a/status?fieldManager=s1`, headers: merge, body: { status: { n: 2 } } },
    {
      request: `PATCH ${on("v2")}/a/status?fieldManager=s2`,
      headers: merge,
      body: { status: { p: "q" }, spec: { n: 9 } },
    },
    {
      request: `PATCH ${on("v2")}/a/status?fieldManager=s3`,
      headers: apply,
      body: { ...(whole("v2", "a", undefined) as object), status: { r: "s" } },
    },
    ...both("a"),
    { request: `PATCH ${on("v2")}/b?fieldManager=e`, headers: merge, body: { spec: { endpoint: { address: "a" } } } },
    { request: `PATCH ${on("v1")}/a?fieldManager=e`, headers: merge, body: { spec: { host: "z" } } },
    { read: "v2", count: 7 },
    { request: `DELETE ${on("v2")}?fieldSelector=spec.endpoint.address=a` },
    { request: `DELETE ${on("v2")}/a?dryRun=All` },
    { request: `DELETE ${on("v1")}/a` },
    { request: `GET ${on("v2")}` },
  ];
};

export const scenarios: readonly Scenario[] = [
  {
    name: "conversion-defaults",
    managedFields: true,
    steps: steps("conversion-defaults", converted, byWebhook),
  },
  { name: "versions-defaults", managedFields: true, steps: steps("versions-defaults", fields, { strategy: "None" }) },
  { name: "conversion-unchanged", managedFields: true, steps: changedByConversion("conversion-unchanged") },
  { name: "versions-migrated", managedFields: true, steps: migrated("versions-migrated") },
  { name: "conversion-parts", managedFields: true, steps: parts("conversion-parts") },
  { name: "versions-undeclared", managedFields: true, steps: undeclared("versions-undeclared") },
];
