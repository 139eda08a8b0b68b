import type { Resource } from "../../project.ts";
import type { FlagValues } from "../scaffold-flag.ts";

/** The flags that name a kind, and the import of its type if it is foreign. */
export const nameFlags = {
  group: { flag: "--group <group>", help: "API group, without the project's domain (empty: none)" },
  version: { flag: "--version <version>", help: "API version", byDefault: "v1alpha1" },
  kind: { flag: "--kind <Kind>", help: "name of the kind, in UpperCamelCase (default: ask on a terminal)" },
  plural: { flag: "--plural <plural>", help: "plural of the kind (default: the regular plural)" },
  externalApiPath: { flag: "--external-api-path <path>", help: "package or ./file that exports a foreign type's Kind" },
  externalApiDomain: { flag: "--external-api-domain <domain>", help: "domain of a foreign type's group" },
  externalApiModule: { flag: "--external-api-module <package>", help: "npm package[@version] of a foreign type" },
} as const;

/** The last flags of each `tsop create`. */
export const createFlags = {
  plugins: { flag: "--plugins <keys>", type: "list" },
  force: { flag: "--force", help: "overwrite existing files" },
  make: { flag: "--make [bool]", help: "generate code and manifests afterwards", byDefault: true },
} as const;

/** Returns the flags that every command has which recreates a part of a resource. */
export function sharedValues({
  group = "",
  version,
  kind,
  plural,
  ...resource
}: Resource): FlagValues<typeof nameFlags & typeof createFlags> {
  const { external, path: externalApiPath, domain: externalApiDomain, module: externalApiModule } = resource;
  const foreign = external ? { externalApiPath, externalApiDomain, externalApiModule } : {};
  return { group, version, kind, plural, ...foreign, make: false };
}
