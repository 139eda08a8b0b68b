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
  /** Called after each change. */
  onChange: () => void = () => {};

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
        this.onChange();
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

  private serves({ metadata }: UnstructuredObject): boolean {
    return this.all.some(({ kind }) => `${kind.plural}.${kind.group}` === metadata.name);
  }
}
