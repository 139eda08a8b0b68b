import type { Kind } from "../../apimachinery/kind.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** Rejects a write of a projection, which would remove all other fields. */
export function mustBeWhole(verb: string, kind: Kind): void {
  if (kind.projection === "metadata") throw new TsopError("TSOP_METADATA_ONLY", { verb, kind: kind.kind });
}

/** Returns the Accept header, with plain JSON as the fallback for servers without projections. */
export function acceptFor(kind: Kind, as: string): string {
  return kind.projection === "full"
    ? "application/json"
    : `application/json;as=${as};g=meta.k8s.io;v=v1,application/json`;
}
