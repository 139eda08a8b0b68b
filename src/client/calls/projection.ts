import type { Kind } from "../../apimachinery/kind.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** What is left out of a projection would be lost. */
export function mustBeWhole(verb: string, kind: Kind): void {
  if (kind.projection === "metadata") throw new TsopError("TSOP_METADATA_ONLY", { verb, kind: kind.kind });
}

/** Plain JSON is the fallback for servers that can't project. */
export function acceptFor(kind: Kind, as: string): string {
  return kind.projection === "full"
    ? "application/json"
    : `application/json;as=${as};g=meta.k8s.io;v=v1,application/json`;
}
