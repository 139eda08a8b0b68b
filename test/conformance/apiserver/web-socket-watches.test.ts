import { readFileSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { ConfigMap } from "../../../src/k8s/core/v1.ts";
import { TestEnvironment, type TestEnvironmentOptions } from "../../../src/testing/test-environment.ts";
import { upgrade, webSocketHeaders } from "../../unit/sandbox/containers/upgraded.ts";

// fabric8's client, on which operators in Java are built, watches over WebSockets.
const assets = process.env["KUBEBUILDER_ASSETS"] || undefined;
const record = process.env["TSOP_RECORD"] === "1";
const file = new URL("../recorded/web-socket-watches.json", import.meta.url);
const timeout = 60_000;

const maps = "/api/v1/namespaces/default/configmaps";
const watch = `${maps}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dwatched`;
const { "sec-websocket-protocol": _, ...plain } = webSocketHeaders("");

/** A request, and the headers that it has beside those of a WebSocket; an empty value removes one. */
const requests: readonly (readonly [title: string, path: string, headers: Readonly<Record<string, string>>])[] = [
  ["the events", watch, {}],
  ["the events in protobuf", watch, { accept: "application/vnd.kubernetes.protobuf" }],
  ["tables", watch, { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" }],
  ["a protocol", watch, { "sec-websocket-protocol": "base64.binary.k8s.io" }],
  ["two protocols", watch, { "sec-websocket-protocol": "a, b" }],
  ["no origin", watch, { origin: "" }],
  ["no key", watch, { "sec-websocket-key": "" }],
  ["an old version", watch, { "sec-websocket-version": "8" }],
  ["a version that is no number", `${watch}&resourceVersion=x`, {}],
  ["a resource that is not served", watch.replace("configmaps", "nothings"), {}],
  ["a list", `${maps}?fieldSelector=metadata.name%3Dmissing`, {}],
  ["another protocol than HTTP and WebSocket", watch, { upgrade: "h2c" }],
];

describe.each<[string, TestEnvironmentOptions]>([
  ["the embedded server", { env: {} }],
  ...(assets ? [["a real server", { binaryAssetsDirectory: assets }] as [string, TestEnvironmentOptions]] : []),
])("%s", (name, options) => {
  it.skipIf(record && name === "the embedded server")(
    "answers watches over WebSockets as recorded",
    { timeout },
    async () => {
      const env = new TestEnvironment(options);
      await env.start();
      try {
        const answers = await answersOf(env);
        if (record) writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`);
        expect(answers).toEqual(JSON.parse(readFileSync(file, "utf8")));
      } finally {
        await env.stop();
      }
    },
  );
});

async function answersOf({ client, config }: TestEnvironment): Promise<Record<string, unknown>> {
  await client.create(ConfigMap, { metadata: { namespace: "default", name: "watched" } });
  const answers: Record<string, unknown> = {};
  for (const [title, path, more] of requests) {
    const wanted = { ...plain, origin: config.server, ...more };
    const headers = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ""));
    const { status, headers: answered, body, socket } = await upgrade(config, path, { method: "GET", headers });
    const { "sec-websocket-accept": accept, "sec-websocket-protocol": protocol } = answered;
    const messages = socket && framesOf(await buffer(socket));
    socket?.destroy();
    answers[title] = { status, accept, protocol, body: body.split(/(?<=\n)/).map(summaryOf), messages };
  }
  return answers;
}

/** Returns the frames of a server: their kinds and contents. */
function framesOf(bytes: Buffer): unknown[] {
  if (bytes.length === 0) return [];
  const [first = 0, short = 0] = bytes;
  const start = short === 126 ? 4 : 2;
  const end = start + (short === 126 ? bytes.readUInt16BE(2) : short);
  const content = bytes.toString("latin1", start, end);
  return [{ first, content: summaryOf(content) }, ...framesOf(bytes.subarray(end))];
}

/** Returns what does not differ between two runs. */
function summaryOf(content: string): unknown {
  if (content.includes("k8s\0")) return { protobuf: /ADDED[^]*k8s\0[^]*watched/.test(content) };
  if (!content.startsWith("{")) return content;
  const { type, kind, object, message } = JSON.parse(content) as Record<string, any>;
  return { type, kind: kind ?? object?.kind, message, isLine: content.endsWith("\n") };
}
