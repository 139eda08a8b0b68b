import type { Clock } from "../../../apimachinery/clock.ts";
import { isConflict, isForbidden, isNotFound } from "../../../apimachinery/status.ts";
import { isKindNotServed } from "../../../client/calls/api-caller.ts";
import type { Client } from "../../../client/client.ts";
import { CoreEvents, EventNames, type CoreEventRecorder } from "../../../runtime/event-recorder/core-event-recorder.ts";
import { EventSender } from "../../../runtime/event-recorder/event-sender.ts";
import { discardLogger, type Logger } from "../../../runtime/log/logger.ts";
import type { ContainerCommands } from "./container-commands.ts";
import type { ObjectFeed } from "./object-feed.ts";
import type { Pod } from "./simulated-kinds.ts";
import type { ContainerLogs } from "./container-logs.ts";

export interface SimulationOptions {
  readonly objects: ObjectFeed;
  /** Creates a client that acts as one of the control plane's own users. */
  readonly clientFor: (user: string) => Client;
  readonly kubernetesVersion: string;
  readonly clock: Clock;
  /** Returns a number in [0, 1), seeded, so that a run can be repeated. */
  readonly random: () => number;
  readonly pace: DelayRange;
  /** The CA of the server, as PEM text in base64. */
  readonly caData: string;
  readonly logs: ContainerLogs;
  /** Runs the commands of containers as processes. */
  readonly commands?: ContainerCommands | undefined;
  /** Returns true for pods whose containers somebody else runs, who also writes their status. */
  readonly runsPod?: (pod: Pod) => boolean;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** The parts that the simulated controllers share. */
export interface SimulationContext extends SimulationOptions {
  /** Passes errors on to `onError`, except those that the next try resolves. */
  readonly log: Logger;
  /** Returns the recorder of a component, which counts what it repeats; its events are written by the component's client. */
  readonly recorder: (client: Client, component: string) => CoreEventRecorder;
}

/** Range of the delays of slow steps, such as pulling an image, in milliseconds; controllers take a tenth. */
export interface DelayRange {
  readonly min: number;
  readonly max: number;
}

/** Creates the parts that simulated controllers share. */
export function createSimulationContext(options: SimulationOptions): SimulationContext {
  const { clock } = options;
  const log = errorLog(options);
  const sender = new EventSender(discardLogger, clock);
  const names = new EventNames();
  const recorders = new Map<string, CoreEventRecorder>();
  const recorder = (client: Client, component: string): CoreEventRecorder => {
    const known = recorders.get(component);
    if (known) return known;
    const events = new CoreEvents({ client, sender, log: discardLogger, clock, names, now: () => clock.now() });
    const made = events.recorder(component);
    recorders.set(component, made);
    return made;
  };
  return { ...options, log, recorder };
}

/** Returns a delay of a slow step. */
export function stepDelay({ pace, random }: SimulationOptions): number {
  return pace.min + (pace.max - pace.min) * random();
}

/** Returns a delay before a controller reacts to a change. */
export function reactionDelay(context: SimulationOptions): number {
  return stepDelay(context) / 10;
}

function errorLog({ signal, onError }: SimulationOptions): Logger {
  const log: Logger = {
    ...discardLogger,
    error(error) {
      if (error !== undefined && !isExpected(error) && !signal.aborted) onError(error);
    },
    withName: () => log,
    withValues: () => log,
  };
  return log;
}

/** Reports whether the next try resolves an error. */
function isExpected(error: unknown): boolean {
  return isConflict(error) || isNotFound(error) || isKindNotServed(error) || isTooLate(error);
}

/** Reports whether the server refuses a write because the object's namespace ends, and the object with it. */
function isTooLate(error: unknown): boolean {
  const causes = isForbidden(error) ? (error.status.details?.causes ?? []) : [];
  return causes.some(({ reason }) => reason === "NamespaceTerminating");
}
