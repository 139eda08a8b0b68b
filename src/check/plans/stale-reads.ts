import { setTimeout as wait } from "node:timers/promises";
import type { ServerRequest, ServerResponse } from "../../apiserver/api-server.ts";
import { pathOf, type Meddler, type Pass } from "../world/traffic.ts";
import type { World } from "../world/world.ts";
import { isCached } from "./meddlers.ts";

/** The time from a read to the newer state: on a busy machine, an operator takes long to read all and to act on it. */
const shownMs = 600;
/** The time in which a restarted operator has read all that it needs. */
const limitMs = 10_000;

/** Shows the operator's caches an older state for a while, as a server of several does that lags behind. */
export class StaleReads {
  private readonly world: World;
  private revision = "";
  /** The time from which on the newer state is shown: each read of the operator's caches puts it off. */
  private until: number | undefined;
  private limit = 0;
  /** The custom resources are shown as they were for so much longer. */
  private longerMs = 0;

  constructor(world: World) {
    this.world = world;
  }

  /** Takes a state as the one to be shown: that of this moment by default. */
  remember(revision: string = this.world.traffic.revision): void {
    this.revision = revision;
  }

  /** Shows the older state from now on, and the custom resources for longer than other objects. */
  begin(longerMs = 0): void {
    this.longerMs = longerMs;
    this.until = undefined;
    this.limit = performance.now() + limitMs;
  }

  /** Waits until the newer state of all objects is shown. */
  async untilOver(): Promise<void> {
    while (!this.isOver(true)) await wait(10);
  }

  readonly meddler: Meddler = {
    handle: ({ request, verb }, pass) => {
      // Only such a list may be answered from an older state.
      if (verb !== "watch" && !(verb === "get" && isCached(request))) return undefined;
      if (this.isOver(this.world.isCustom(pathOf(request)))) return undefined;
      this.until = Math.min(performance.now() + shownMs, this.limit);
      return verb === "watch" ? this.watch(request, pass) : this.list(request, pass);
    },
  };

  private isOver(isCustom: boolean): boolean {
    return performance.now() >= (this.until ?? this.limit) + (isCustom ? this.longerMs : 0);
  }

  private list(request: ServerRequest, pass: Pass): Promise<ServerResponse> {
    this.world.struck = true;
    return pass(withUrl(request, request.url.replace(/resourceVersion=0/, this.exact)));
  }

  /** The state of a watch that begins with one is older; its changes since then, and those of others, come later. */
  private async watch(request: ServerRequest, pass: Pass): Promise<ServerResponse> {
    const begins = request.url.includes("sendInitialEvents=true");
    const initial = begins ? await this.initialEvents(request, pass) : "";
    const response = await pass(initial === "" ? request : inJson(request, followUrl(request.url, this.revision)));
    if (typeof response.body === "string") return response;
    const isCustom = this.world.isCustom(pathOf(request));
    return { ...response, body: this.follow(initial, response.body, isCustom) };
  }

  private async *follow(initial: string, changes: AsyncIterable<string>, isCustom: boolean): AsyncGenerator<string> {
    if (initial !== "") yield initial;
    while (!this.isOver(isCustom)) await wait(10);
    yield* changes;
  }

  /** Returns the events that describe the older state; nothing if the server refuses to list it. */
  private async initialEvents(request: ServerRequest, pass: Pass): Promise<string> {
    const [path = "", query = ""] = request.url.split("?");
    const { body, status } = await pass(inJson(request, `${path}?${selectorsOf(query)}${this.exact}`));
    if (status !== 200 || typeof body !== "string") return "";
    this.world.struck = true;
    const { apiVersion, kind, items } = JSON.parse(body) as List;
    const type = { apiVersion, kind: kind.replace(/List$/, "") };
    const annotations = { "k8s.io/initial-events-end": "true" };
    return [
      ...items.map((item) => ({ type: "ADDED", object: { ...type, ...item } })),
      { type: "BOOKMARK", object: { ...type, metadata: { resourceVersion: this.revision, annotations } } },
    ]
      .map((event) => `${JSON.stringify(event)}\n`)
      .join("");
  }

  private get exact(): string {
    return `resourceVersion=${this.revision}&resourceVersionMatch=Exact`;
  }
}

interface List {
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly object[];
}

function selectorsOf(query: string): string {
  return query
    .split("&")
    .filter((parameter) => /^(label|field)Selector=/.test(parameter))
    .map((parameter) => `${parameter}&`)
    .join("");
}

function followUrl(url: string, revision: string): string {
  const [path = "", query = ""] = url.split("?");
  const kept = query.split("&").filter((parameter) => !/^(resourceVersion|sendInitialEvents)/.test(parameter));
  return `${path}?${[...kept, `resourceVersion=${revision}`].join("&")}`;
}

function withUrl(request: ServerRequest, url: string): ServerRequest {
  return Object.create(request, { url: { value: url } }) as ServerRequest;
}

/** Asks for JSON instead of protobuf, which clients that prefer protobuf read as well. */
function inJson(request: ServerRequest, url: string): ServerRequest {
  const clauses = (request.headers["accept"] ?? "").split(",").filter((clause) => !clause.includes("protobuf"));
  const accept = clauses.join(",") || "application/json";
  const headers = { ...request.headers, accept };
  return Object.create(request, { url: { value: url }, headers: { value: headers } }) as ServerRequest;
}
