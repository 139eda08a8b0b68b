import { setTimeout as wait } from "node:timers/promises";
import type { ServerRequest, ServerResponse } from "../../apiserver/api-server.ts";
import { pathOf, type Interference, type Meddler, type Pass } from "../world/traffic.ts";
import type { World } from "../world/world.ts";
import { isCached, initialEventsAt, listAt, watchFrom } from "./past-state.ts";

/** The time from a read to the newer state: on a busy machine, an operator takes long to read all and to act on it. */
const shownMs = 600;
/** The time in which a restarted operator has read all that it needs. */
const limitMs = 10_000;

/** Shows the operator's caches an older state for a while, as a server of several does that lags behind. */
export class StaleReads {
  private readonly world: World;
  private readonly interference: Interference;
  private revision = "";
  /** The time from which on the newer state is shown: each read of the operator's caches puts it off. */
  private until: number | undefined;
  private limit = 0;
  /** The custom resources keep their old state for this long. */
  private longerMs = 0;

  constructor(world: World, interference: Interference) {
    this.world = world;
    this.interference = interference;
  }

  /** Records a state as the one to be shown: by default the present one. */
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
    this.interference.hasStruck = true;
    return pass(listAt(request, this.revision));
  }

  /** The state at the start of a watch is older. Its changes since then, and changes of other objects, follow later. */
  private async watch(request: ServerRequest, pass: Pass): Promise<ServerResponse> {
    const initial = await initialEventsAt(request, pass, this.revision);
    if (initial !== "") this.interference.hasStruck = true;
    const response = await pass(initial === "" ? request : watchFrom(request, this.revision));
    if (typeof response.body === "string") return response;
    const isCustom = this.world.isCustom(pathOf(request));
    return { ...response, body: this.follow(initial, response.body, isCustom) };
  }

  private async *follow(initial: string, changes: AsyncIterable<string>, isCustom: boolean): AsyncGenerator<string> {
    if (initial !== "") yield initial;
    while (!this.isOver(isCustom)) await wait(10);
    yield* changes;
  }
}
