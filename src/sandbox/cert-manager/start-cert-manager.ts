import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { runCaInjector } from "./ca-injector.ts";
import { runCertificates } from "./certificate-controller.ts";
import { runIssuers } from "./issuer-controller.ts";
import { randomUUID } from "node:crypto";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { acceptance } from "../../apiserver/crd/crd-controller.ts";
import type { Snapshot } from "../../apiserver/storage/store.ts";
import { certManagerCrds } from "./cert-manager-crds.ts";

/** Plays cert-manager until the signal aborts. */
export async function startCertManager(context: SimulationContext): Promise<void> {
  await Promise.all([runIssuers(context), runCertificates(context), runCaInjector(context)]);
}

const resource = "apiextensions.k8s.io/customresourcedefinitions";

/**
 * Adds cert-manager's CRDs to a state that lacks them. They are established already, so that the server serves their kinds
 * from its start. A CRD that a user has installed stays.
 */
export function addDefinitions(state: Snapshot, now: string): Snapshot {
  const present = state.objects[resource] ?? {};
  const missing = certManagerCrds().filter(({ metadata }) => !present[metadata.name!]);
  if (missing.length === 0) return state;
  const revision = state.revision + 1;
  const added = missing.map((crd) => [crd.metadata.name!, established(crd, now, String(revision))] as const);
  // The other resources are read from their file only when they are needed.
  const objects = Object.defineProperties({}, Object.getOwnPropertyDescriptors(state.objects)) as Snapshot["objects"];
  objects[resource] = { ...present, ...Object.fromEntries(added) };
  return { ...state, revision, objects };
}

function established(crd: UnstructuredObject, now: string, resourceVersion: string): UnstructuredObject {
  const spec = crd["spec"] as { names: object; versions: { name: string }[] };
  return {
    ...crd,
    metadata: { ...crd.metadata, uid: randomUUID(), creationTimestamp: now, generation: 1, resourceVersion },
    spec: { ...spec, conversion: { strategy: "None" } },
    status: {
      conditions: acceptance(undefined, now),
      acceptedNames: spec.names,
      storedVersions: spec.versions.map(({ name }) => name),
    },
  };
}
