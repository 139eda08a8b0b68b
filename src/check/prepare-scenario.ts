import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { isApiError } from "../apimachinery/status.ts";
import { mergePatch } from "../client/patches.ts";
import type { Plan } from "./plans/plan.ts";
import { requireSignals } from "../sandbox/require-signals.ts";
import {
  deriveScenario,
  fieldValues,
  patchesOf,
  samplesOf,
  type Accepts,
  type Sample,
} from "./scenario/derive-scenario.ts";
import type { Scenario } from "./scenario/scenario.ts";
import type { FieldValue } from "./scenario/schema-values.ts";
import { act } from "./world/act.ts";
import { World } from "./world/world.ts";
import type { Subject } from "./world/subject.ts";

export interface ScenarioSource {
  readonly subject: Subject;
  /** The objects of the samples: custom resources, and others that belong to them. */
  readonly samples: readonly UnstructuredObject[];
  /** The steps; derived from the samples by default. */
  readonly scenario?: Scenario | undefined;
  /** The plans to run, if no others are made of the samples. */
  readonly plans?: readonly Plan[] | undefined;
  readonly signal: AbortSignal;
}

/** The steps of a check, and the values of fields that the server accepts. */
export interface PreparedScenario {
  readonly scenario: Scenario;
  readonly explored: readonly (readonly [Sample, FieldValue])[];
}

/** Derives the scenario and the values to explore, with a server that has no operator unless it needs its webhooks. */
export async function prepareScenario({
  subject,
  samples: objects,
  scenario,
  plans,
  signal,
}: ScenarioSource): Promise<PreparedScenario> {
  requireSignals("checking an operator");
  if (scenario && plans) return { scenario, explored: [] };
  const samples = samplesOf(objects, subject.crds);
  const world = new World(subject);
  const accepts: Accepts = async (sample, value) => {
    const { object } = sample;
    const { client } = world;
    const kind = await client.kindFor(object.apiVersion ?? "", object.kind ?? "");
    const { namespace = kind.scope === "Namespaced" ? world.namespace : undefined, name = "" } = object.metadata;
    try {
      await client.patch(kind, { namespace, name }, mergePatch({ ...patchesOf(sample, value).patch }), {
        dryRun: true,
      });
      return true;
    } catch (error) {
      if (!isApiError(error)) throw error;
      return false;
    }
  };
  try {
    await world.open();
    if (world.hasWebhooks) world.startOperator();
    if (!(await world.untilServing())) throw world.unservedError();
    await act(world, { type: "apply", objects });
    const explored: [Sample, FieldValue][] = [];
    for (const sample of samples)
      for (const value of fieldValues(sample)) {
        signal.throwIfAborted();
        if (await accepts(sample, value)) explored.push([sample, value]);
      }
    return { scenario: scenario ?? (await deriveScenario(objects, samples, accepts)), explored };
  } finally {
    await world.close();
  }
}
