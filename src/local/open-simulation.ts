import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DiagnosticsError } from "../errors/diagnostic.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { makeWebhookEndpoint } from "../sandbox/webhooks/webhook-endpoint.ts";
import type { Chance, Engine } from "../check/plans/engine.ts";
import { SimulationEngine } from "../simulation/simulation-engine.ts";
import type { CheckedOperator } from "./checked-operator.ts";
import { loadEsbuild, operatorBuilder } from "./operator/build-operator.ts";

/** The port of webhooks, which is free in a simulation. */
const webhookPort = 9443;

export type EngineChoice = "auto" | "simulation" | "processes";

/** The engine of a check; without one, processes run the operator. */
export interface OpenedEngine {
  readonly engine?: Engine;
  /** True if the user insists on the engine. */
  readonly isForced?: true;
  /** Why the operator cannot be simulated. */
  readonly why?: string;
}

/** Opens the engine that a user has chosen. Throws if it must be a simulation, which the operator does not allow. */
export async function openEngine(
  choice: EngineChoice,
  operators: readonly CheckedOperator[],
  chance: Chance,
): Promise<OpenedEngine> {
  if (choice === "processes") return {};
  const opened = await openSimulation(operators, chance);
  if (typeof opened !== "string") return { engine: opened, ...(choice === "simulation" && { isForced: true }) };
  if (choice === "simulation") throw new TsopError("TSOP_CHECK_NOT_SIMULATED", { why: opened });
  return { why: opened };
}

/** Opens the engine that simulates operators, or returns why it cannot. */
async function openSimulation(operators: readonly CheckedOperator[], chance: Chance): Promise<Engine | string> {
  const bundles = new Map<string, string>();
  for (const { root, bundle } of operators) {
    if (bundle === undefined) return "it is not a project of tsop";
    const whole = join(dirname(bundle), "simulation.js");
    const why = await bundleWhole(root, whole);
    if (why !== undefined) return why;
    bundles.set(bundle, whole);
  }
  const [first] = operators;
  const needsWebhooks = operators.some(({ subject }) => subject.webhooks !== undefined);
  const endpoint = needsWebhooks
    ? await makeWebhookEndpoint(join(dirname(first!.bundle!), "webhooks"), webhookPort)
    : undefined;
  return SimulationEngine.open({ ...chance, bundles, endpoint });
}

/** Bundles an operator with all of its packages. Returns why that cannot be simulated. */
async function bundleWhole(root: string, outfile: string): Promise<string | undefined> {
  const builder = await operatorBuilder(await loadEsbuild(root), { root, outfile, isWhole: true });
  try {
    await builder.build();
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return `a package cannot be bundled: ${error.diagnostics[0]?.message}`;
  } finally {
    await builder.close();
  }
  const isKnown = (await readFile(outfile, "utf8")).includes("tsop.connections");
  return isKnown ? undefined : "its version of tsop does not know simulations";
}
