import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { crds } from "./custom-kind.ts";
import { definitions, group } from "./open-api-kinds.ts";
import { embeddedTarget, realTarget, type Target } from "./target.ts";

// Client generators, kubectl and IDEs read the OpenAPI documents. Each path, schema and parameter of each document is the
// one of a real server, but for the order of keys. A real server writes them anew some seconds after a change.
const assets = process.env["KUBEBUILDER_ASSETS"] || undefined;
const record = process.env["TSOP_RECORD"] === "1";
const file = new URL("../recorded/open-api.json", import.meta.url);
const patience = 90_000;

/** The digest of each part of each document. */
type Digests = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What the embedded server does not have, and why. */
const accepted: readonly { readonly part: RegExp; readonly reason: string }[] = [
  { part: /flowcontrol/, reason: "FlowSchemas and their levels are not served: requests are not queued" },
  { part: /componentstatuses|ComponentStatus|ComponentCondition/, reason: "there are no components" },
];

it.skipIf(record)("the embedded server describes itself as a real one does", async () => {
  const real = JSON.parse(readFileSync(file, "utf8")) as Digests;
  const target = await embeddedTarget();
  try {
    const own = partsOf(await digestDocuments(target));
    const parts = partsOf(real);
    expect(parts.length).toBeGreaterThan(2000);
    const missing = parts.filter((part) => !own.includes(part));
    expect(missing.filter((part) => !accepted.some((each) => each.part.test(part)))).toEqual([]);
    expect(own.filter((part) => !parts.includes(part))).toEqual([]);
    for (const { part } of accepted) expect(missing.some((each) => part.test(each))).toBe(true);
  } finally {
    await target.stop();
  }
});

describe.runIf(assets !== undefined)("a real server", () => {
  it("describes itself as recorded", { timeout: 2 * patience }, async () => {
    const target = await realTarget(assets!);
    try {
      const digests = await digestDocuments(target);
      if (record) save(digests);
      expect(digests).toEqual(JSON.parse(readFileSync(file, "utf8")));
    } finally {
      await target.stop();
    }
  });
});

function partsOf(digests: Digests): string[] {
  return Object.entries(digests).flatMap(([document, parts]) =>
    Object.entries(parts).map(([part, digest]) => `${document} ${part} ${digest}`),
  );
}

/** Installs the custom kinds, and reads all documents that a server has. */
async function digestDocuments(target: Target): Promise<Digests> {
  for (const definition of definitions) {
    const headers = { "content-type": "application/json" };
    const response = await target.send("POST", crds, { headers, body: JSON.stringify(definition) });
    expect([response.statusCode, await text(response)]).toEqual([201, expect.any(String)]);
  }
  const complete = { "/openapi/v3": [`apis/${group}/v1"`, `apis/${group}/v1beta1"`], "/openapi/v2": definitionNames };
  for (const [path, names] of Object.entries(complete)) await readComplete(target, path, names);
  const { paths } = JSON.parse(await read(target, "/openapi/v3"));
  const digests: Record<string, Record<string, string>> = {};
  for (const path of Object.keys(paths).toSorted()) {
    const names = path === `apis/${group}/v1` ? definitionNames.slice(0, 2) : [];
    const {
      paths: operations,
      components,
      ...rest
    } = JSON.parse(await readComplete(target, paths[path].serverRelativeURL, names));
    const { schemas = {}, ...others } = components ?? {};
    digests[`v3 ${path}`] = {
      ...digestEach(operations),
      ...digestEach(schemas),
      ...digestEach({ rest: { rest, others } }),
    };
  }
  const {
    paths: operations,
    definitions: schemas,
    parameters,
    ...rest
  } = JSON.parse(await read(target, "/openapi/v2"));
  digests["v2"] = {
    ...digestEach(operations),
    ...digestEach(schemas),
    ...digestEach(parameters),
    ...digestEach({ rest }),
  };
  return digests;
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

function digestEach(parts: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, digest(part)]));
}

function digest(part: unknown): string {
  const sorted = JSON.stringify(part, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(sorted).digest("hex").slice(0, 10);
}

function save(digests: Digests): void {
  const lines = Object.entries(digests).map(([document, parts]) => {
    const entries = Object.entries(parts).map(([name, each]) => `${JSON.stringify(name)}:"${each}"`);
    return `${JSON.stringify(document)}:{\n${entries.join(",\n")}}`;
  });
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}
