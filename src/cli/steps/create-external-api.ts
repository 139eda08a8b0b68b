import { UsageError } from "../../errors/tsop-error.ts";
import { findProjectRoot } from "../../project/find-project-root.ts";
import type { Io } from "../io.ts";
import { apiFlags, type ApiFlags } from "../../project/scaffold/api/api-flags.ts";
import type { WriteFlags } from "./apply-plan.ts";
import { readFlaggedSource, writeTypes } from "./external-types.ts";

const excluded = [
  "group",
  "kind",
  "plural",
  "image",
  "ssa",
  "externalApiPath",
  "externalApiDomain",
  "controllerName",
] as const;

/** Creates the types of foreign kinds: `tsop create api --from-crd` and `--from-cluster`. */
export async function createExternalApi(io: Io, flags: ApiFlags & WriteFlags): Promise<void> {
  const other = excluded.find((name) => flags[name] !== undefined);
  if (other) {
    const [flag] = apiFlags[other].flag.split(" ");
    throw new UsageError(`${flag} can't be used with --from-crd and --from-cluster: the definitions name their kinds`);
  }
  const root = await findProjectRoot(io.cwd, io.disk);
  const sourced = await readFlaggedSource(io, root, flags);
  if (!(await writeTypes(io, { root, command: "tsop create api", sourced: [sourced] }, flags))) return;
  const [{ spec }] = sourced.crds as [(typeof sourced.crds)[number]];
  const stored = spec.versions.find(({ storage }) => storage) ?? spec.versions[0];
  const names = `--group ${spec.group.split(".")[0]} --version ${stored?.name} --kind ${spec.names.kind}`;
  if (!sourced.source)
    io.stderr.write("\nStandard input can't be read again: `tsop generate types` skips these types.\n");
  io.stderr.write(
    `\nNext: watch the kinds in your controllers, or add a controller of one:\n  tsop create api ${names} --resource=false\n`,
  );
}
