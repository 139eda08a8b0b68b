import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/**
 * Loads a file of prom-client by `load`, which contains the import for bundlers to see; throws a TsopError if the
 * program's bundle cannot load it, which nothing has shown before the first scrape.
 */
export async function loadPromClient<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw new TsopError("TSOP_PROM_CLIENT", { reason: messageOf(error) }, { cause: error });
  }
}
