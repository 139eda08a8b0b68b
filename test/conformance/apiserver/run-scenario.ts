import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { protobuf } from "../../../src/apiserver/representation/negotiate.ts";
import { readProtobuf } from "./read-protobuf.ts";
import { Normalizer } from "./normalize.ts";
import type { OpenStep, ReadStep, RequestStep, Scenario } from "./scenario.ts";
import { settled } from "./settled.ts";
import type { Target } from "./target.ts";

/** What one step was answered, normalised so that two runs and two servers can be compared. */
export interface RecordedAnswer {
  readonly step: string;
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly warnings?: string[];
  readonly body?: unknown;
  readonly events?: unknown[];
}

/** A real server believes in a token for ten seconds after the account went. */
const defaultPatience = 60_000;

/** How often each scenario has run on a server. */
const runs = new WeakMap<Target, Map<string, number>>();

/**
 * Runs all steps in a namespace of their own; `words` may be used in them. A scenario that runs again on its server takes
 * another namespace, which its answers do not show.
 */
export async function runScenario(
  target: Target,
  scenario: Scenario,
  words: Readonly<Record<string, string>>,
): Promise<RecordedAnswer[]> {
  const usual = `c-${scenario.name}`;
  const again = countRuns(target, scenario.name) - 1;
  const ns = again === 0 ? usual : `${usual}-again-${again}`;
  const run = new Run(target, { ...words, ns });
  await run.prepare(ns);
  try {
    for (const step of scenario.steps) {
      if ("open" in step) await run.open(step);
      else if ("read" in step) await run.read(step);
      else if ("advance" in step) target.advance?.(step.advance);
      else if ("forget" in step) await target.forget?.();
      else if ("together" in step) await run.together(step.together);
      else await run.request(step);
    }
  } finally {
    run.close();
  }
  const settledAnswers = scenario.controllers ? settled(run.answers, run.bodies) : run.answers;
  const answers = new Normalizer({ managedFields: scenario.managedFields === true }).answers(settledAnswers);
  return again === 0 ? answers : (JSON.parse(JSON.stringify(answers).replaceAll(ns, usual)) as RecordedAnswer[]);
}

function countRuns(target: Target, scenario: string): number {
  let counts = runs.get(target);
  if (!counts) runs.set(target, (counts = new Map()));
  const count = (counts.get(scenario) ?? 0) + 1;
  counts.set(scenario, count);
  return count;
}

interface Asked {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly warnings: string[];
  readonly text: string;
}

interface Stream {
  readonly request: string;
  readonly response: IncomingMessage;
  readonly lines: AsyncIterator<unknown>;
}

class Run {
  readonly answers: RecordedAnswer[] = [];
  /** What was answered last to each request, whole. */
  readonly bodies: unknown[] = [];
  readonly #target: Target;
  readonly #words: Record<string, string>;
  readonly #streams = new Map<string, Stream>();

  get #patience(): number {
    return this.#target.patience ?? defaultPatience;
  }

  constructor(target: Target, words: Readonly<Record<string, string>>) {
    this.#target = target;
    this.#words = { ...words };
  }

  async prepare(ns: string): Promise<void> {
    const body = JSON.stringify({ kind: "Namespace", apiVersion: "v1", metadata: { name: ns } });
    const response = await this.#target.send("POST", "/api/v1/namespaces", { body });
    if (response.statusCode !== 201) throw new Error(`no namespace ${ns}: ${await textOf(response)}`);
    response.resume();
  }

  async request(step: RequestStep): Promise<void> {
    if (step.parallel !== undefined) return this.#parallel(step, step.parallel);
    const answer = await this.#answer(step);
    if (answer) this.answers.push(answer);
  }

  async together(steps: readonly RequestStep[]): Promise<void> {
    const answers = await Promise.all(steps.map((step) => this.#answer(step)));
    this.answers.push(...answers.filter((answer) => answer !== undefined));
  }

  async #answer(step: RequestStep): Promise<RecordedAnswer | undefined> {
    for (const end = Date.now() + this.#patience; ; await wait(20)) {
      const { status, type, headers, warnings, text } = await this.#ask(step);
      const body = text && !step.raw ? readable(type, text) : text;
      // For a moment after a CRD has changed, a real server takes no requests for its objects.
      const isChanging = status === 429 && text.includes("storage is (re)initializing");
      if (isChanging || (step.until && !step.until(body, status, warnings))) {
        if (Date.now() > end) throw new Error(`${step.request} never got there: ${status} ${text}`);
        continue;
      }
      this.bodies.push(body);
      for (const [word, path] of Object.entries(step.save ?? {}))
        this.#words[word] = String(
          path.startsWith("headers.") ? headers[path.slice("headers.".length)] : valueAt(body, path),
        );
      if (step.unrecorded) return undefined;
      const shown = step.shows && Object.fromEntries(step.shows.map((name) => [name, headers[name]]));
      return {
        step: step.request,
        status,
        type,
        ...(shown && { headers: shown }),
        ...(warnings.length && { warnings }),
        body: step.pick ? step.pick(body) : body,
      };
    }
  }

  async open({ open, request, headers }: OpenStep): Promise<void> {
    const [method = "", path = ""] = this.#fill(request).split(" ");
    const response = await this.#target.send(method, path, headers && { headers });
    this.#streams.set(open, { request, response, lines: linesOf(response) });
  }

  async read({ read, count = Infinity, isLast }: ReadStep): Promise<void> {
    const stream = this.#streams.get(read);
    if (!stream) throw new Error(`no stream ${read}`);
    const events: unknown[] = [];
    while (events.length < count) {
      const next = await Promise.race([stream.lines.next(), wait(this.#patience, undefined)]);
      if (!next) throw new Error(`${stream.request}: too few events: ${JSON.stringify(events)}`);
      if (!next.done && isLast?.(next.value)) break;
      events.push(next.done ? "end" : next.value);
      if (next.done) break;
    }
    this.answers.push({ step: `events of ${stream.request}`, status: stream.response.statusCode ?? 0, events });
  }

  close(): void {
    for (const { response } of this.#streams.values()) response.destroy();
  }

  async #parallel(step: RequestStep, count: number): Promise<void> {
    const asked = await Promise.all(Array.from({ length: count }, () => this.#ask(step)));
    this.answers.push({ step: step.request, body: asked.map(({ status }) => status).toSorted() });
  }

  async #ask(step: RequestStep): Promise<Asked> {
    const [method = "", path = ""] = this.#fill(step.request).split(" ");
    const body =
      step.body === undefined
        ? undefined
        : this.#fill(typeof step.body === "string" ? step.body : JSON.stringify(step.body));
    const given = Object.fromEntries(
      Object.entries(step.headers ?? {}).map(([name, value]) => [name, this.#fill(value)]),
    );
    const headers = { "content-type": "application/json", ...given };
    const response = await this.#target.send(method, path, body === undefined ? { headers: given } : { headers, body });
    const { statusCode = 0, headers: answered } = response;
    const warning = response.headersDistinct["warning"] ?? [];
    return {
      status: statusCode,
      type: answered["content-type"] ?? "",
      headers: answered as Asked["headers"],
      warnings: warning,
      text: await textOf(response),
    };
  }

  #fill(text: string): string {
    return text.replace(/\{(\w+)\}/g, (whole, word: string) => this.#words[word] ?? whole);
  }
}

function readable(type: string, text: string): unknown {
  if (type.startsWith("application/json")) return jsonOf(text);
  return type.startsWith(protobuf) ? readProtobuf(type, Buffer.from(text, "latin1")) : text;
}

async function textOf(response: IncomingMessage): Promise<string> {
  const isProtobuf = response.headers["content-type"]?.startsWith(protobuf);
  const stream = response.headers["content-encoding"] === "gzip" ? response.pipe(createGunzip()) : response;
  let text = "";
  for await (const chunk of stream.setEncoding(isProtobuf ? "latin1" : "utf8")) text += String(chunk);
  return text;
}

/** A watch that has ended is as many texts as it had events. */
function jsonOf(text: string): unknown {
  const lines = text.trimEnd().split("\n");
  return lines.length > 1 && lines.every((line) => line.startsWith("{"))
    ? lines.map((line) => JSON.parse(line))
    : JSON.parse(text);
}

async function* linesOf(response: IncomingMessage): AsyncGenerator {
  let rest = "";
  for await (const chunk of response.setEncoding("utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}

function valueAt(body: unknown, path: string): unknown {
  return path.split(".").reduce<any>((value, name) => value?.[name], body);
}
