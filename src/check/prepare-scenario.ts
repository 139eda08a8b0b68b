import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { isApiError } from "../apimachinery/status.ts";
import { mergePatch } from "../client/patches.ts";
import { applyManifests } from "../manifests/apply-manifests.ts";
import { installCrds } from "../manifests/install-crds.ts";
import { startSandbox } from "../sandbox/start-sandbox.ts";
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
import type { Subject } from "./world/world.ts";

export interface ScenarioSource {
  readonly subject: Subject;
  /** The objects of the samples: custom resources, and others that belong to them. */
  readonly samples: readonly UnstructuredObject[];
  /** The steps; derived from the samples by default. */
  readonly scenario?: Scenario | undefined;
  readonly signal: AbortSignal;
}

/** The steps of a check, and the values of fields that the server accepts. */
export interface PreparedScenario {
  readonly scenario: Scenario;
  readonly explored: readonly (readonly [Sample, FieldValue])[];
}

/** Derives the scenario and the values to explore, with a server that has no operator. */
export async function prepareScenario({
  subject,
  samples: objects,
  scenario,
  signal,
}: ScenarioSource): Promise<PreparedScenario> {
  const samples = samplesOf(objects, subject.crds);
  const stopping = new AbortController();
  const sandbox = await startSandbox({ simulate: false }, AbortSignal.any([signal, stopping.signal]));
  const { client } = sandbox;
  const accepts: Accepts = async (sample, value) => {
    const { object } = sample;
    const kind = await client.kindFor(object.apiVersion ?? "", object.kind ?? "");
    const { namespace = kind.scope === "Namespaced" ? "default" : undefined, name = "" } = object.metadata;
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
    await installCrds(client, subject.crds, { signal });
    const manifests = [
      ...subject.before,
      ...objects.map((object) => ({ file: "sample", object: structuredClone(object) })),
    ];
    await applyManifests({ client, namespace: "default" }, manifests);
    const explored: [Sample, FieldValue][] = [];
    for (const sample of samples)
      for (const value of fieldValues(sample)) if (await accepts(sample, value)) explored.push([sample, value]);
    return { scenario: scenario ?? (await deriveScenario(objects, samples, accepts)), explored };
  } finally {
    stopping.abort();
    await sandbox.done;
  }
}
