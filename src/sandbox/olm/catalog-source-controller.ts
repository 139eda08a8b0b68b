import { equalJson } from "../../apimachinery/equal.ts";
import { timestamp } from "../../apimachinery/time.ts";
import type { Client } from "../../client/client.ts";
import { CatalogSourceKind, type CatalogSource, registryPodAnnotation } from "../../client/manifests/olm-kinds.ts";
import { enqueueBeside, runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { PodKind } from "../simulation/context/simulated-kinds.ts";
import { readCatalog } from "./catalog-content.ts";

/** Reports the connection to each catalog. */
export function runCatalogSources(context: SimulationContext, client: Client): Promise<void> {
  const served = enqueueBeside(
    context,
    CatalogSourceKind,
    ({ metadata }, pod) => metadata.annotations?.[registryPodAnnotation] === pod.metadata.name,
  );
  return runController(context, {
    sources: [watch(context, CatalogSourceKind), watch(context, PodKind, served)],
    step: async (key) => {
      const catalog = await client.getOrUndefined(CatalogSourceKind, key);
      if (!catalog || catalog.metadata.deletionTimestamp) return;
      const status = await statusOf(catalog);
      const before = catalog.status?.connectionState;
      if (before && before.lastObservedState === status.connectionState?.lastObservedState) return;
      if (!equalJson(catalog.status, status)) await client.status.update(CatalogSourceKind, { ...catalog, status });
    },
  });

  async function statusOf(catalog: CatalogSource): Promise<NonNullable<CatalogSource["status"]>> {
    const { address, image } = catalog.spec;
    if (address === undefined) {
      const what = image === undefined ? catalog.spec.sourceType : `image ${image}`;
      return { reason: "SpecInvalidError", message: `the catalog of ${what} is not served here: images do not run` };
    }
    const isServed = (await readCatalog(client, catalog)) !== undefined;
    const now = timestamp(context.clock.now());
    return {
      connectionState: { address, lastConnect: now, lastObservedState: isServed ? "READY" : "TRANSIENT_FAILURE" },
      registryService: { createdAt: catalog.status?.registryService?.createdAt ?? now, protocol: "grpc" },
    };
  }
}
