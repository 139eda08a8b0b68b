import type { Kind } from "../apimachinery/kind.ts";
import { ConnectionCut } from "../apiserver/http/start-http.ts";
import type { ServerResponse } from "../apiserver/api-server.ts";
import { later } from "../check/plans/meddlers.ts";
import { isPathOf, pathOf, type Meddler, type OperatorRequest, type Pass } from "../check/world/traffic.ts";

/** Stands between the operator and the server: notes its requests, delays its watches, and ends it at a write. */
export class SimulatedFaults implements Meddler {
  /** The requests of the operator, in order: `create apps/v1/namespaces/default/deployments`. */
  readonly requests: string[] = [];
  readonly writes: string[] = [];
  private readonly lags = new Map<string, number>();
  private readonly crash: () => void;
  /** The ordinal of the write at which the operator ends. */
  private crashAt: number | undefined;

  constructor(crash: () => void) {
    this.crash = crash;
  }

  lag({ group, plural }: Kind, ms: number): void {
    this.lags.set(`${group}/${plural}`, ms);
  }

  get longestLagMs(): number {
    return Math.max(0, ...this.lags.values());
  }

  crashAtWrite(ordinal: number): void {
    this.crashAt = this.writes.length + ordinal;
  }

  handle({ request, verb, signature, occurrence }: OperatorRequest, pass: Pass): Promise<ServerResponse> | undefined {
    this.requests.push(signature);
    if (verb === "watch") return this.watch(pathOf(request), pass(request));
    if (occurrence === 0) return undefined;
    this.writes.push(signature);
    return this.writes.length === this.crashAt ? this.endAt(pass(request)) : undefined;
  }

  private async watch(path: string, answer: Promise<ServerResponse>): Promise<ServerResponse> {
    const response = await answer;
    if (typeof response.body === "string") return response;
    const delay = (): number => [...this.lags].find(([id]) => isPathOf(path, { id }))?.[1] ?? 0;
    return { ...response, body: later(response.body, delay) };
  }

  /** The server has stored the write, and the operator does not learn of it. */
  private async endAt(answer: Promise<ServerResponse>): Promise<never> {
    await answer;
    this.crash();
    throw new ConnectionCut();
  }
}
