import { setTimeout as wait } from "node:timers/promises";
import type { UnstructuredObject } from "../../src/apimachinery/meta.ts";
import { Normalizer } from "../../test/conformance/apiserver/normalize.ts";
import type { RecordedAnswer } from "../../test/conformance/apiserver/run-scenario.ts";
import { releaseOfAssets } from "../../test/conformance/apiserver/releases.ts";
import { embeddedTarget, realTarget, type Target } from "../../test/conformance/apiserver/target.ts";
import { withoutWords } from "../../test/conformance/contract.ts";

/** A request to both servers. */
export interface Asked {
  readonly request: string;
  readonly body?: unknown;
  readonly type?: string;
}

/** The answers of both servers to one request, normalized: two runs on one server give the same. */
export interface Pair {
  readonly embedded: RecordedAnswer;
  readonly real: RecordedAnswer;
}

/** The embedded server and a real one, which are asked the same. */
export class ServerPair {
  private readonly embedded: Target;
  private readonly real: Target;

  private constructor(embedded: Target, real: Target) {
    this.embedded = embedded;
    this.real = real;
  }

  static async start(assets: string): Promise<ServerPair> {
    const [embedded, real] = await Promise.all([embeddedTarget(releaseOfAssets(assets).version), realTarget(assets)]);
    return new ServerPair(embedded, real);
  }

  async stop(): Promise<void> {
    await Promise.all([this.embedded.stop(), this.real.stop()]);
  }

  async ask(asked: Asked): Promise<Pair> {
    const [embedded, real] = await Promise.all([answerOf(this.embedded, asked), answerOf(this.real, asked)]);
    return { embedded, real };
  }

  /** Asks until both servers answer as wanted; returns the last answers when the time is over. */
  async askUntil(asked: Asked, isDone: (pair: Pair) => boolean, patienceMs: number): Promise<Pair> {
    for (const end = Date.now() + patienceMs; ; await wait(100)) {
      const pair = await this.ask(asked);
      if (isDone(pair) || Date.now() > end) return pair;
    }
  }
}

async function answerOf(target: Target, { request, body, type = "application/json" }: Asked): Promise<RecordedAnswer> {
  const [method = "", path = ""] = request.split(" ");
  for (;;) {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": type } };
    const response = await target.send(method, path, sent);
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
    const status = response.statusCode ?? 0;
    // For a moment after a CRD has changed, a real server takes no requests for its objects.
    if (status === 429) {
      await wait(200);
      continue;
    }
    const warnings = response.headersDistinct["warning"] ?? [];
    const isJson = response.headers["content-type"]?.startsWith("application/json");
    const answer = { step: request, status, warnings, body: isJson ? JSON.parse(withoutSuffix(text, body)) : text };
    const [normal] = withoutWords(new Normalizer({ managedFields: true }).answers([answer]));
    return JSON.parse(JSON.stringify(normal), sortByChance) as RecordedAnswer;
  }
}

/** Replaces the random end of a name that the server has generated for `body`: a refusal names it, too. */
export function withoutSuffix(text: string, body: unknown): string {
  const { name, generateName } = (body as Partial<UnstructuredObject> | undefined)?.metadata ?? {};
  if (name || typeof generateName !== "string" || generateName === "") return text;
  // A generated name has at most 63 characters.
  const prefix = JSON.stringify(generateName.slice(0, 58)).slice(1, -1);
  const [start, ...rest] = text.split(prefix);
  return [start, ...rest.map((part) => part.replace(/^[bcdfghjklmnpqrstvwxz2456789]{5}/, "<suffix>"))].join(prefix);
}

/** Sorts conditions, which a real server's controllers add in no order. */
function sortByChance(key: string, value: unknown): unknown {
  if (key !== "conditions" || !Array.isArray(value)) return value;
  const typeOf = (condition: { type?: string } | null): string => condition?.type ?? "";
  return (value as ({ type?: string } | null)[]).toSorted((a, b) => (typeOf(a) < typeOf(b) ? -1 : 1));
}
