import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { crds } from "./custom-kind.ts";
import { definitions, group } from "./open-api-kinds.ts";
import { kubernetesRelease } from "../../../src/apimachinery/kubernetes-version.ts";
import { releaseOfAssets, releases } from "./releases.ts";
import { embeddedTarget, realTarget, type Target } from "./target.ts";

// Client generators, kubectl and IDEs read the OpenAPI documents: each operation with its id, its action and its kind, and
// the fields of kinds with their types and defaults. A real server writes the documents anew some seconds after a change.
const assets = process.env["KUBEBUILDER_ASSETS"] || undefined;
const record = process.env["TSOP_RECORD"] === "1";
const fileOf = (release: string): URL =>
  new URL(`../recorded/${release === kubernetesRelease ? "" : `${release}/`}open-api.json`, import.meta.url);
const patience = 90_000;

/** Schemas that are compared, of all documents in version 3, and in version 2. */
const sample =
  /\.(apps\.v1\.(Deployment|DeploymentList|DeploymentSpec|DeploymentCondition|RollingUpdateDeployment)|batch\.v1\.CronJobSpec|core\.v1\.(PodSpec|Container|EphemeralContainer|ContainerPort|Service|ServicePort|ResourceRequirements|Secret|PersistentVolumeClaimSpec)|rbac\.v1\.Role|autoscaling\.v2\.MetricTarget|meta\.v1\.(ObjectMeta|OwnerReference|LabelSelector)|resource\.Quantity|intstr\.IntOrString|apiextensions\.v1\.JSONSchemaProps|documents\.v1\.\w+|documents\.v1beta1\.\w+)$/;

/** One line for each operation and each compared schema. */
type Parts = Readonly<Record<string, string>>;

/** What the embedded server does not have, and why. */
const accepted: readonly { readonly part: RegExp; readonly reason: string }[] = [
  { part: /flowcontrol/, reason: "FlowSchemas and their levels are not served: requests are not queued" },
  { part: /componentstatus/, reason: "there are no components" },
  { part: /\/proxy/, reason: "no containers run here" },
  { part: /^get \/(api|apis|version|openid|\.well-known)\S*\/ /, reason: "discovery has documents of its own" },
  { part: /^v[23] \S+JSONSchemaProps /, reason: "three numbers have no format" },
];

it.skipIf(record).each(releases)(
  "the embedded server describes itself as a real one of $release does",
  async ({ version, release }) => {
    const real = linesOf(JSON.parse(readFileSync(fileOf(release), "utf8")) as Parts);
    const target = await embeddedTarget(version);
    try {
      const own = linesOf(await readParts(target));
      expect(real.length).toBeGreaterThan(700);
      const isAccepted = (line: string): boolean => accepted.some(({ part }) => part.test(line));
      const missing = real.filter((line) => !own.includes(line));
      expect(missing.filter((line) => !isAccepted(line))).toEqual([]);
      expect(own.filter((line) => !real.includes(line) && !isAccepted(line))).toEqual([]);
      for (const { part } of accepted) expect(missing.some((line) => part.test(line))).toBe(true);
    } finally {
      await target.stop();
    }
  },
);

describe.runIf(assets !== undefined)("a real server", () => {
  it("describes itself as recorded", { timeout: 2 * patience }, async () => {
    const target = await realTarget(assets!);
    try {
      const parts = await readParts(target);
      const file = fileOf(releaseOfAssets(assets!).release);
      if (record) save(file, parts);
      expect(parts).toEqual(JSON.parse(readFileSync(file, "utf8")));
    } finally {
      await target.stop();
    }
  });
});

/** Returns the lines without the zeros that a real server writes as defaults of fields of Go. */
function linesOf(parts: Parts): string[] {
  return Object.entries(parts).map(([part, value]) =>
    value.startsWith("{") ? `${part} ${JSON.stringify(withoutZeros(JSON.parse(value)))}` : `${part} ${value}`,
  );
}

function withoutZeros(value: any): unknown {
  if (Array.isArray(value)) return value.map(withoutZeros);
  if (typeof value !== "object" || value === null) return value;
  const isZero = (child: unknown): boolean => ['""', "0", "false", "{}"].includes(JSON.stringify(child));
  const entries = Object.entries(value).filter(([name, child]) => name !== "default" || !isZero(child));
  if (entries.length === 1 && value.allOf?.length === 1) return withoutZeros(value.allOf[0]);
  return Object.fromEntries(entries.map(([name, child]) => [name, withoutZeros(child)]));
}

/** Installs the custom kinds, and reads all documents that a server has. */
async function readParts(target: Target): Promise<Parts> {
  for (const definition of definitions) {
    const headers = { "content-type": "application/json" };
    const response = await target.send("POST", crds, { headers, body: JSON.stringify(definition) });
    expect([response.statusCode, await text(response)]).toEqual([201, expect.any(String)]);
  }
  const complete = { "/openapi/v3": [`apis/${group}/v1"`, `apis/${group}/v1beta1"`], "/openapi/v2": definitionNames };
  for (const [path, names] of Object.entries(complete)) await readComplete(target, path, names);
  const { paths } = JSON.parse(await read(target, "/openapi/v3"));
  const parts: Record<string, string> = {};
  for (const path of Object.keys(paths)) {
    const names = path === `apis/${group}/v1` ? definitionNames.slice(0, 2) : [];
    const document = JSON.parse(await readComplete(target, paths[path].serverRelativeURL, names));
    Object.assign(parts, operationsIn(document.paths), schemasIn("v3", document.components?.schemas ?? {}));
  }
  const { paths: operations, definitions: schemas } = JSON.parse(await read(target, "/openapi/v2"));
  Object.assign(parts, schemasIn("v2", schemas));
  const own = operationsIn(operations);
  for (const [name, operation] of Object.entries(operationsIn(operations)))
    if (parts[name] !== operation) parts[`v2 ${name}`] = own[name]!;
  return Object.fromEntries(Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns what a client reads of each operation. Generators leave out the deprecated paths of watches. */
function operationsIn(paths: any): Record<string, string> {
  const entries = Object.entries<any>(paths).flatMap(([path, item]) =>
    Object.entries<any>(item).flatMap(([method, operation]) => {
      if (method === "parameters" || path.includes("/watch/")) return [];
      const { group = "", version = "", kind = "" } = operation["x-kubernetes-group-version-kind"] ?? {};
      const action = operation["x-kubernetes-action"] ?? "";
      return [[`${method} ${path}`, [operation.operationId, action, group, version, kind].join(" ")]];
    }),
  );
  return Object.fromEntries(entries);
}

/** Returns the schemas of the sample as JSON, without descriptions. */
function schemasIn(document: string, schemas: any): Record<string, string> {
  const names = Object.keys(schemas).filter((name) => sample.test(name));
  return Object.fromEntries(names.map((name) => [`${document} ${name}`, JSON.stringify(undescribed(schemas[name]))]));
}

function undescribed(value: any, name = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => undescribed(item));
    return name === "required" ? items.toSorted() : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([field, child]) => field !== "description" || typeof child !== "string");
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([field, child]) => [field, undescribed(child, field)]));
}

const reversed = group.split(".").toReversed().join(".");
const definitionNames = [`${reversed}.v1.Widget"`, `${reversed}.v1.Indices"`, `${reversed}.v1beta1.Widget"`];

/** Reads a document until it has the custom kinds. */
async function readComplete(target: Target, path: string, names: readonly string[]): Promise<string> {
  for (const deadline = Date.now() + patience; ; await wait(100)) {
    const document = await read(target, path);
    if (names.every((name) => document.includes(name))) return document;
    if (Date.now() > deadline) throw new Error(`${path} lacks ${names.join(", ")}`);
  }
}

async function read(target: Target, path: string): Promise<string> {
  const response = await target.send("GET", path, { headers: { accept: "application/json" } });
  const { location } = response.headers;
  const body = await text(response);
  return location === undefined ? body : read(target, location);
}

function save(file: URL, parts: Parts): void {
  const lines = Object.entries(parts).map(([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`);
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}
