import { resolve } from "node:path";
import type { LicenseOptions } from "../../project/scaffold/init/boilerplate.ts";
import type { Io } from "../io.ts";

/** Combines the licence flags with the current year. */
export function licenseOptions(io: Io, flags: Omit<LicenseOptions, "year">): LicenseOptions {
  const { license, licenseFile, owner } = flags;
  return {
    license,
    owner,
    licenseFile: licenseFile === undefined ? undefined : resolve(io.cwd, licenseFile),
    year: io.now().getFullYear(),
  };
}
