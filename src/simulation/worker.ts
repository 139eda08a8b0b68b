import { parentPort, workerData } from "node:worker_threads";
import type { Chance } from "../check/plans/engine.ts";
import type { Plan } from "../check/plans/plan.ts";
import type { RunRecord } from "../check/world/run-record.ts";
import { TsopError } from "../errors/tsop-error.ts";
import type { SentOptions } from "./sent-options.ts";
import { Scheduler } from "./realm/scheduler.ts";
import type { SimulationParts } from "./simulation.ts";
import { virtualizeGlobals } from "./realm/virtual-globals.ts";
import { routeWebhooks, type WebhookRoute } from "./webhook-calls.ts";

export interface RunMessage {
  readonly plan: Plan;
  readonly options: SentOptions;
  readonly chance: Chance;
}

/** An error, which loses its class on the way. */
export interface SentError {
  readonly message: string;
  readonly stack: string | undefined;
  /** Set for an error that a user can act on. */
  readonly advice?: Pick<TsopError, "code" | "hint">;
}

/** The end of a run, with the functions outside of the simulation that the operator has called. */
export type WorkerMessage = { readonly obstacles: ReadonlySet<string> } & (
  | { readonly type: "record"; readonly record: RunRecord }
  | { readonly type: "error"; readonly error: SentError }
);

/** Runs plans in this thread, as messages ask for them. */
export async function runWorker(): Promise<void> {
  const scheduler = new Scheduler();
  virtualizeGlobals(scheduler);
  let route: WebhookRoute | undefined;
  routeWebhooks(() => route!);
  // The code of the cluster must find the globals and the client of webhooks replaced.
  const { Simulation } = await import("./simulation.ts");
  const { receivedOptions } = await import("./sent-options.ts");
  const simulation = new Simulation(scheduler, {
    ...(workerData as SimulationParts),
    onRoute: (next) => (route = next),
  });
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error: unknown) => scheduler.current.fail(error));
  const send = (message: WorkerMessage): void => parentPort?.postMessage(message);
  parentPort?.on("message", ({ plan, options, chance }: RunMessage) => {
    simulation
      .run(plan, receivedOptions(options), chance)
      .then((record) => send({ type: "record", record, obstacles: simulation.obstacles }))
      .catch((error: Error) => send({ type: "error", error: sent(error), obstacles: simulation.obstacles }));
  });
}

function sent(error: Error): SentError {
  const { message, stack } = error;
  return { message, stack, ...(error instanceof TsopError && { advice: { code: error.code, hint: error.hint } }) };
}
