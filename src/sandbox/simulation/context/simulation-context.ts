import type { Clock } from "../../../apimachinery/clock.ts";
import type { Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject, ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import type { ContainerCommands } from "./container-commands.ts";
import type { ContainerLogs } from "./container-logs.ts";
import type { ToldEvents } from "./told-events.ts";
import { watchKind } from "./watch-kind.ts";
import { WorkLoop } from "./work-loop.ts";

/** What every simulated controller gets. */
export interface SimulationContext {
  /** A client that acts as one of the control plane's own users. */
  readonly clientFor: (user: string) => Client;
  readonly clock: Clock;
  /** Uniform in [0, 1), seeded, so that a run can be repeated. */
  readonly random: () => number;
  readonly pace: Pace;
  readonly caData: string;
  readonly logs: ContainerLogs;
  readonly told: ToldEvents;
  /** Runs containers' commands for real. */
  readonly commands?: ContainerCommands | undefined;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** How long the slow things take (pulling an image, starting, stopping), in milliseconds; controllers take a tenth. */
export interface Pace {
  readonly min: number;
  readonly max: number;
}

/** A delay of a slow step. */
export function stepDelay({ pace, random }: SimulationContext): number {
  return pace.min + (pace.max - pace.min) * random();
}

/** A delay before a controller looks at a change. */
export function reactionDelay(context: SimulationContext): number {
  return stepDelay(context) / 10;
}

export interface KindController<T extends KubeObject> {
  readonly kind: Kind<T>;
  /** How long after a change an object is looked at; `reactionDelay`. */
  readonly delay?: () => number;
  /** Looks at one object, which may be gone; `again` asks for another look at any time later. */
  readonly step: (key: Required<ObjectKey>, again: (key: string) => void) => Promise<number | void>;
  /** Other kinds whose changes concern objects of `kind`; `keysOf` names them. */
  readonly triggers?: readonly { readonly kind: Kind; readonly keysOf: (object: KubeObject) => string[] }[];
}

/** Runs a controller of one kind until the signal aborts. */
export async function runKindController<T extends KubeObject>(
  context: SimulationContext,
  client: Client,
  controller: KindController<T>,
): Promise<void> {
  const { clock, signal, onError } = context;
  const step = (key: string): Promise<number | void> => {
    const [namespace = "", name = ""] = key.split("/");
    return controller.step({ namespace, name }, (key) => loop.add(key));
  };
  const { delay = () => reactionDelay(context) } = controller;
  const loop: WorkLoop = new WorkLoop({ clock, delay, step, onError });
  const add = (keys: readonly string[]) => keys.forEach((key) => loop.add(key));
  const watches = [{ kind: controller.kind as Kind, keysOf: (object: KubeObject) => [keyOf(object)] }]
    .concat(controller.triggers ?? [])
    .map(({ kind, keysOf }) =>
      watchKind(
        client,
        kind,
        {
          listed: (objects) => objects.forEach((object) => add(keysOf(object))),
          changed: (_, object) => add(keysOf(object)),
        },
        signal,
      ),
    );
  await Promise.all([loop.start(signal), ...watches]);
}

/** `namespace/name`, with an empty namespace for cluster-scoped objects. */
export function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`;
}

/** Keys of the objects of a kind that control this one. */
export function controllerKeys(kind: Kind): (object: KubeObject) => string[] {
  return ({ metadata }) =>
    (metadata.ownerReferences ?? [])
      .filter((owner) => owner.controller && owner.kind === kind.kind)
      .map((owner) => `${metadata.namespace ?? ""}/${owner.name}`);
}
