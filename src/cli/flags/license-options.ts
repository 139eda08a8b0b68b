import { resolve } from "node:path";
import type { LicenseOptions } from "../../project/scaffold/init/boilerplate.ts";
import type { Io } from "../io.ts";

/** Returns the path of the licence file, and the current year. */
export function licenseOptions(
  io: Io,
  { licenseFile }: Pick<LicenseOptions, "licenseFile">,
): Pick<LicenseOptions, "licenseFile" | "year"> {
  return {
    licenseFile: licenseFile === undefined ? undefined : resolve(io.cwd, licenseFile),
    year: io.now().getFullYear(),
  };
}
