import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { runCaInjector } from "./ca-injector.ts";
import { runCertificates } from "./certificate-controller.ts";
import { runIssuers } from "./issuer-controller.ts";

/** Plays cert-manager until the signal aborts. */
export async function startCertManager(context: SimulationContext): Promise<void> {
  await Promise.all([runIssuers(context), runCertificates(context), runCaInjector(context)]);
}
