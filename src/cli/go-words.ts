import { TsopError } from "../errors/tsop-error.ts";

/** Plugin keys that have a meaning here, too. */
const known = /^(typescript(\.tsop\.dev)?\/v1|deploy-image(\.[a-z.]+)?\/v1-alpha)$/;

/** Tells followers of a tutorial for Go what to type instead; returns the keys that mean something here. */
export function parsePlugins(plugins: string | undefined): string[] {
  const keys = (plugins ?? "").split(",").filter(Boolean);
  const foreign = keys.find((key) => !known.test(key));
  if (foreign) {
    const instead = "leave --plugins out: tsop makes TypeScript projects, and what the Go plugins add is built in";
    throw new TsopError("TSOP_GO_ONLY", { what: `--plugins=${foreign}`, instead });
  }
  return keys;
}
