import { TsopError } from "../../errors/tsop-error.ts";
import type { Io } from "../io.ts";

/** Returns the build time that reproducible builds set: https://reproducible-builds.org/specs/source-date-epoch */
export function sourceDate({ env }: Pick<Io, "env">): Date | undefined {
  const epoch = env["SOURCE_DATE_EPOCH"];
  if (epoch === undefined) return undefined;
  if (!/^\d{1,11}$/.test(epoch)) throw new TsopError("TSOP_BUILD_TIME", { value: JSON.stringify(epoch) });
  return new Date(Number(epoch) * 1000);
}
