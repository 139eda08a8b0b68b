import { setTimeout as wait } from "node:timers/promises";
import { failure } from "../../apimachinery/status.ts";
import type { ServerRequest, ServerResponse } from "../../apiserver/api-server.ts";
import { ConnectionCut } from "../../apiserver/http/start-http.ts";
import { respondStatus, errorEvent } from "../../apiserver/representation/respond.ts";
import { pathOf, type Interference, type Meddler, type OperatorRequest, type Pass } from "../world/traffic.ts";
import type { World } from "../world/world.ts";
import { initialEventsAt, isCached, listAt, watchFrom } from "./past-state.ts";
import type { Fault, RefusalReason, WritePoint } from "./plan.ts";

function isAt({ step, signature, occurrence }: OperatorRequest, at: WritePoint): boolean {
  return step === at.step && signature === at.signature && occurrence === at.occurrence;
}

/** The world in which a fault acts, and its place there. */
export interface Stage {
  readonly world: World;
  readonly interference: Interference;
}

/** Does something once, at a write of the operator's. */
function atWrite(
  { interference }: Stage,
  at: WritePoint,
  act: (request: ServerRequest, pass: Pass) => Promise<ServerResponse>,
): Meddler {
  return {
    handle(request, pass) {
      if (interference.hasStruck || !isAt(request, at)) return undefined;
      interference.hasStruck = true;
      return act(request.request, pass);
    },
  };
}

/** Kills the operator at a write, which is committed or not, and starts it again. */
export function crashAt(stage: Stage, at: WritePoint, when: "before" | "after"): Meddler {
  const { world } = stage;
  return atWrite(stage, at, async (request, pass) => {
    world.traffic.mark(request, `the operator is killed ${when} it is committed`);
    if (when === "after") await pass(request);
    await world.killOperator();
    world.startOperator();
    throw new ConnectionCut();
  });
}

/** Commits a write and cuts its connection, so that the operator does not learn of it. */
export function loseAnswerAt(stage: Stage, at: WritePoint): Meddler {
  return atWrite(stage, at, async (request, pass) => {
    stage.world.traffic.mark(request, "its answer is lost");
    await pass(request);
    throw new ConnectionCut();
  });
}

/** The time in which a lease of 15 s, the default, expires, and another instance does the work. */
export const expiryMs = 20_000;

/** Freezes the operator at a write, and lets another instance take over before the write is committed. */
export function expireLeaseAt(stage: Stage, at: WritePoint): Meddler {
  const { world } = stage;
  return atWrite(stage, at, async (request, pass) => {
    world.traffic.mark(request, "the lease expires before it is committed");
    const first = world.operator;
    // It loses the lease: it may end.
    first?.expectEnd();
    first?.freeze();
    world.startOperator();
    await wait(expiryMs);
    return pass(request).finally(() => first?.thaw());
  });
}

/** Cuts the operator off: none of its requests reaches the server. */
export const cutOff: Meddler = {
  async handle() {
    throw new ConnectionCut();
  },
};

const retryAfterSeconds = 1;
const messages: Readonly<Record<RefusalReason, string>> = {
  Conflict:
    "Operation cannot be fulfilled: the object has been modified; please apply your changes to the latest version and try again",
  TooManyRequests: "too many requests, please try again later",
  InternalError: "Internal error occurred: etcdserver: leader changed",
  Timeout: "Timeout: request did not complete within requested timeout - context deadline exceeded",
};

/** Refuses a write once. */
export function refuseAt(stage: Stage, at: WritePoint, reason: RefusalReason): Meddler {
  return atWrite(stage, at, async (request) => {
    stage.world.traffic.mark(request, `it is refused with ${reason}`);
    return respondStatus(
      request,
      failure(reason, messages[reason], reason === "TooManyRequests" ? { retryAfterSeconds } : {}),
    );
  });
}

/** Does something to the cluster once a write is committed. */
export function afterWrite(stage: Stage, at: WritePoint, act: () => Promise<void>): Meddler {
  return atWrite(stage, at, async (request, pass) => {
    const response = await pass(request).catch((error: unknown) => {
      // Another fault keeps the write from the server.
      stage.interference.hasStruck = false;
      throw error;
    });
    await act();
    return response;
  });
}

/** Shows changes to the operator's watches later, or to one of them. */
export function delayWatches(
  { interference }: Stage,
  { delayMs, watch }: Omit<Fault & { type: "lag" }, "type">,
): Meddler {
  return onWatches(async function* (events) {
    for await (const text of later(events, () => delayMs)) {
      interference.hasStruck = true;
      yield text;
    }
  }, watch);
}

/**
 * Gates for the operator's watches. While they are closed, only events of custom resources pass, which give the
 * operator its work, and caches that begin then start with the state before. All watches end when the gates open.
 */
export class WatchGate {
  private readonly world: World;
  private readonly interference: Interference;
  /** The revision at which the gates were closed. */
  private shown: string | undefined;
  private cuts: (() => void)[] = [];
  /** Watches cannot be resumed from a revision before this one. */
  private floor = 0;

  constructor({ world, interference }: Stage) {
    this.world = world;
    this.interference = interference;
  }

  /** Holds events back from now on. */
  close(): void {
    this.shown = this.world.traffic.revision;
  }

  /** Ends all watches; with `expired`, none can be resumed from where it was. */
  open(expired: boolean): void {
    if (expired) this.floor = Number(this.world.traffic.revision);
    this.shown = undefined;
    for (const cut of this.cuts.splice(0)) cut();
    this.interference.hasStruck = true;
  }

  readonly meddler: Meddler = {
    handle: ({ request, verb }, pass) => {
      if (verb === "watch") return this.watch(request, pass);
      if (verb !== "get" || this.shown === undefined || !isCached(request) || !this.isHidden(request)) return undefined;
      return pass(listAt(request, this.shown));
    },
  };

  private async watch(request: ServerRequest, pass: Pass): Promise<ServerResponse> {
    // The gates may open before the server answers.
    const cut = withResolvers();
    this.cuts.push(cut.resolve);
    const since = new URLSearchParams(request.url.split("?")[1]).get("resourceVersion") ?? "";
    const isHidden = this.isHidden(request);
    const shown = isHidden ? this.shown : undefined;
    const initial = shown === undefined ? "" : await initialEventsAt(request, pass, shown);
    const resumes = since !== "" && since !== "0" && !request.url.includes("sendInitialEvents=true");
    const response = await pass(shown === undefined || initial === "" ? request : watchFrom(request, shown));
    if (typeof response.body === "string") return response;
    const isExpired = resumes && Number(since) < this.floor;
    if (isExpired) return { ...response, body: this.expired(since, response) };
    return { ...response, body: this.gated(response.body, { isHidden, initial, cut }) };
  }

  private isHidden(request: ServerRequest): boolean {
    return !this.world.isCustom(pathOf(request));
  }

  /** The server answers 200, and reports in the first event that it has forgotten the version. */
  private async *expired(since: string, { binary }: ServerResponse): AsyncGenerator<string> {
    yield errorEvent(failure("Expired", `too old resource version: ${since} (${this.floor})`), binary === true);
  }

  private async *gated(events: AsyncIterable<string>, { isHidden, initial, cut }: GatedWatch): AsyncGenerator<string> {
    if (initial !== "") yield initial;
    const iterator = events[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([iterator.next(), cut.promise]);
        if (!next || next.done) return;
        // A text that comes while the gate is closed is not shown: the watch ends when it opens.
        if (this.shown !== undefined && isHidden) await cut.promise;
        if (this.cuts.includes(cut.resolve)) yield next.value;
        else return;
      }
    } finally {
      // Its `next` may wait for an event that never comes.
      iterator.return?.().catch(() => {});
    }
  }
}

interface GatedWatch {
  readonly isHidden: boolean;
  /** The events of the state with which it begins. */
  readonly initial: string;
  /** Ends it. */
  readonly cut: PromiseWithResolvers;
}

/** The time for which the server is away: longer than the first tries of a client, shorter than a lease. */
const awayMs = 700;

/** Restarts the server at a write, which is lost: all connections end, and new ones do for a moment. */
export function restartServerAt(stage: Stage, at: WritePoint): Meddler {
  const { world, interference } = stage;
  const gate = new WatchGate(stage);
  let backAt = 0;
  return {
    async handle(request, pass) {
      if (performance.now() < backAt) throw new ConnectionCut();
      if (interference.hasStruck || !isAt(request, at))
        return gate.meddler.handle?.(request, pass) ?? pass(request.request);
      world.traffic.mark(request.request, "the server restarts before it is committed");
      backAt = performance.now() + awayMs;
      gate.open(false);
      throw new ConnectionCut();
    },
  };
}

interface PromiseWithResolvers {
  readonly promise: Promise<undefined>;
  readonly resolve: () => void;
}

function withResolvers(): PromiseWithResolvers {
  let resolve!: () => void;
  const promise = new Promise<undefined>((settle) => (resolve = () => settle(undefined)));
  return { promise, resolve };
}

function onWatches(change: (events: AsyncIterable<string>) => AsyncIterable<string>, watch?: string): Meddler {
  return {
    handle({ request, verb }, pass) {
      if (verb !== "watch" || (watch !== undefined && pathOf(request) !== watch)) return undefined;
      return pass(request).then((response) =>
        typeof response.body === "string" ? response : { ...response, body: change(response.body) },
      );
    },
  };
}

/** Yields each text with the delay that holds when it comes, in order. */
export async function* later(texts: AsyncIterable<string>, delayMs: () => number): AsyncGenerator<string> {
  const due: { readonly at: number; readonly text: string }[] = [];
  let ended = false;
  let wake = withResolvers();
  const reading = (async () => {
    for await (const text of texts) {
      due.push({ at: performance.now() + delayMs(), text });
      wake.resolve();
    }
  })().finally(() => {
    ended = true;
    wake.resolve();
  });
  try {
    for (;;) {
      const next = due.shift();
      if (next) {
        const left = next.at - performance.now();
        if (left > 0) await wait(left);
        yield next.text;
      } else if (ended) return;
      else {
        await wake.promise;
        wake = withResolvers();
      }
    }
  } finally {
    reading.catch(() => {});
  }
}
