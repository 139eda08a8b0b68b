import { apiVersionOf, type Kind } from "../../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { ApiCaller } from "../../../client/calls/api-caller.ts";
import type { Transport } from "../../../client/transport.ts";
import { isEstablished } from "../../../client/discovery/crd-kinds.ts";
import { discoverAll, preferredKinds, type DiscoveredKind } from "../../../client/discovery/discover-all.ts";
import { CustomResourceDefinition } from "../../../client/manifests/install-crds.ts";
import { PacedQueue, runController, watch } from "../context/run-controller.ts";
import { reactionDelay, type SimulationContext } from "../context/simulation-context.ts";

/** All kinds that the server serves, updated when CRDs change. */
export class ServedKinds {
  private readonly caller: ApiCaller;
  private all: readonly DiscoveredKind[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(transport: Transport) {
    this.caller = new ApiCaller(transport);
  }

  /** Reads the kinds at the start and after each change of a CRD. */
  start(context: SimulationContext): Promise<void> {
    const client = context.clientFor("system:kube-controller-manager");
    return runController(context, {
      sources: [watch(context, CustomResourceDefinition)],
      queue: new PacedQueue(context, () => 0),
      step: async ({ name }) => {
        this.all = await discoverAll(this.caller, context.signal);
        for (const listener of this.listeners) listener();
        const crd = await client.getOrUndefined(CustomResourceDefinition, { name });
        // A CRD is established shortly before it is served.
        if (crd && isEstablished(crd) && !this.serves(crd)) return reactionDelay(context);
      },
    });
  }

  /** Reads the kinds once. */
  async read(signal: AbortSignal): Promise<void> {
    this.all = await discoverAll(this.caller, signal);
  }

  /** Finds the kind of an owner reference; as for a real collector, it may be in lower case, as OLM writes it. */
  find(apiVersion: string, kind: string): Kind | undefined {
    const isMeant = ({ kind: name }: Kind): boolean => name === kind || name.toLowerCase() === kind;
    return this.all.find((row) => isMeant(row.kind) && apiVersionOf(row.kind) === apiVersion)?.kind;
  }

  /** Returns the kinds with these verbs, each in its preferred version. */
  having(...verbs: readonly string[]): Kind[] {
    return preferredKinds(this.all)
      .filter((row) => verbs.every((verb) => row.verbs.includes(verb)))
      .map(({ kind }) => kind);
  }

  /**
   * Calls `run` for each kind until the kind is no longer served; settles when the signal has aborted and all calls
   * have ended.
   */
  async forEach(
    wanted: (kind: Kind, verbs: readonly string[]) => boolean,
    run: (kind: Kind, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const running = new Map<string, { stop: AbortController; done: Promise<void> }>();
    const align = (onError: (error: unknown) => void): void => {
      const rows = preferredKinds(this.all).filter((row) => wanted(row.kind, row.verbs));
      const served = new Map(rows.map(({ kind }) => [`${kind.plural}.${kind.version}.${kind.group}`, kind]));
      for (const [name, { stop }] of running) if (!served.has(name)) stop.abort();
      for (const [name, kind] of served) {
        if (running.has(name)) continue;
        const stop = new AbortController();
        const ended = run(kind, AbortSignal.any([signal, stop.signal])).catch(onError);
        running.set(name, { stop, done: ended.finally(() => running.delete(name)) });
      }
    };
    let listener = (): void => {};
    await new Promise<void>((resolve, reject) => {
      listener = () => align(reject);
      if (signal.aborted) return resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
      this.listeners.add(listener);
      listener();
    }).finally(() => this.listeners.delete(listener));
    await Promise.all([...running.values()].map(({ done }) => done));
  }

  private serves({ metadata }: UnstructuredObject): boolean {
    return this.all.some(({ kind }) => `${kind.plural}.${kind.group}` === metadata.name);
  }
}
