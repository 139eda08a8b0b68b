import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { protobuf } from "../../../src/apiserver/representation/negotiate.ts";
import { encodeProtobuf } from "../../../src/apiserver/codec/protobuf/encode-protobuf.ts";
import { subjects } from "../differential/subjects.ts";
import { customKind } from "./custom-kind.ts";
import { realTarget, type Target } from "./target.ts";

// A real server's answers in JSON and in protobuf are the same objects: the bytes made of the one have to be the other.
const assets = process.env["KUBEBUILDER_ASSETS"] || undefined;
const record = process.env["TSOP_RECORD"] === "1";
const file = new URL("../recorded/protobuf/lists.json", import.meta.url);

interface Pair {
  readonly path: string;
  readonly json: any;
  /** In base64. */
  readonly protobuf: string;
}

it.skipIf(record)("makes the bytes that a real server made of the same objects", () => {
  const pairs = JSON.parse(readFileSync(file, "utf8")) as Pair[];
  expect(pairs.length).toBeGreaterThan(50);
  for (const { path, json, protobuf } of pairs)
    expect([path, bytesOf(json).toString("latin1")]).toEqual([
      path,
      Buffer.from(protobuf, "base64").toString("latin1"),
    ]);
});

describe.runIf(assets !== undefined)("of a real server", () => {
  let target: Target;
  let paths: readonly string[] = [];
  beforeAll(async () => {
    target = await realTarget(assets!);
    await fill(target);
    paths = await collections(target);
  });
  afterAll(() => target?.stop());

  it("has the bytes that are made of its JSON, for every kind", async () => {
    const pairs: Pair[] = [];
    for (const path of [...paths, "/api", "/apis", "/apis/apps", "/apis/apps/v1", "/api/v1/namespaces/none"]) {
      const [json, bytes] = await both(target, path);
      pairs.push({ path, json, protobuf: bytes.toString("base64") });
      expect([path, bytesOf(json).toString("latin1")]).toEqual([path, bytes.toString("latin1")]);
    }
    expect(pairs.length).toBeGreaterThan(50);
    if (record) save(pairs);
  });
});

function bytesOf(json: any): Buffer {
  return Buffer.from(encodeProtobuf(json), "latin1");
}

/** An object of each kind that the fuzz knows, and a CRD with all that a schema may say. */
async function fill(target: Target): Promise<void> {
  const namespace = { metadata: { name: "filled" } };
  await send(target, { method: "POST", path: "/api/v1/namespaces", body: namespace });
  const schema = {
    description: "all",
    type: "object",
    properties: {
      a: { type: "array", items: { type: "integer", enum: [1, 2] }, default: [1], maxItems: 3 },
      b: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
      c: { type: "object", additionalProperties: { type: "number", minimum: 0.5, exclusiveMinimum: true } },
      d: { type: "string", "x-kubernetes-validations": [{ rule: "self != 'x'", message: "no x" }] },
      e: { type: "object", "x-kubernetes-preserve-unknown-fields": true, nullable: true },
    },
  };
  const version = {
    schema: { openAPIV3Schema: schema },
    additionalPrinterColumns: [{ name: "D", type: "string", jsonPath: ".d" }],
  };
  await send(target, { method: "POST", path: crds, body: customKind("messages", version).crd });
  for (const { path, object, custom } of Object.values(subjects)) {
    if (custom) continue;
    const subject = JSON.parse(JSON.stringify({ path, body: object }).replaceAll("{ns}", "filled"));
    const { status, text } = await send(target, { method: "POST", ...subject });
    // Several subjects are the same kind.
    if (status !== 201 && status !== 409) throw new Error(`${path}: ${status} ${text.toString()}`);
  }
}

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Of all built-in kinds that can be listed; the health of components has no order, and API services are left out here. */
async function collections(target: Target): Promise<string[]> {
  const { groups } = (await send(target, { path: "/apis" })).json;
  const roots = [
    "/api/v1",
    ...groups.flatMap(({ versions }: any) => versions.map((each: any) => `/apis/${each.groupVersion}`)),
  ];
  const all: string[] = [];
  for (const root of roots) {
    if (root.includes("example.com") || root.includes("apiregistration")) continue;
    const { resources } = (await send(target, { path: root })).json;
    for (const { name, verbs } of resources)
      if (verbs.includes("list") && name !== "componentstatuses") all.push(`${root}/${name}?limit=3`);
  }
  return all;
}

/** Asks again when something has been written in between. */
async function both(target: Target, path: string): Promise<[json: any, bytes: Buffer]> {
  for (;;) {
    const before = await send(target, { path });
    const { text } = await send(target, { path, accept: protobuf });
    const after = await send(target, { path });
    if (before.text.equals(after.text)) return [before.json, text];
  }
}

interface Request {
  readonly path: string;
  readonly method?: string;
  readonly accept?: string;
  readonly body?: unknown;
}

async function send(
  target: Target,
  { path, method = "GET", accept = "application/json", body }: Request,
): Promise<Reply> {
  const headers = { accept, "content-type": "application/json" };
  const response = await target.send(method, path, {
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await bytesIn(response);
  return {
    status: response.statusCode ?? 0,
    text,
    get json() {
      return JSON.parse(text.toString());
    },
  };
}

interface Reply {
  readonly status: number;
  readonly text: Buffer;
  readonly json: any;
}

async function bytesIn(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function save(pairs: readonly Pair[]): void {
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, `[\n${pairs.map((pair) => JSON.stringify(pair)).join(",\n")}\n]\n`);
}
