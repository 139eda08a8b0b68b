import { UsageError } from "../../errors/tsop-error.ts";

export const persistHelp = "folder that keeps the server's objects, authority and tokens between runs";
export const persistSyncHelp = "with --persist: answer a write when it survives a power failure";

/** Checks that a folder is given to which `--persist-sync` applies. */
export function checkPersistFlags({ persist, persistSync }: { persist?: string; persistSync?: true }): void {
  if (persistSync && persist === undefined) throw new UsageError("--persist-sync needs --persist");
}
