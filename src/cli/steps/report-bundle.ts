import { readFileCrds } from "../../codegen/external/read-source.ts";
import { resolve } from "node:path";
import { parseJsonObject } from "../../apimachinery/parse-json-object.ts";
import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import type { Bundle } from "../../olm/bundle/bundle.ts";
import { loadBundle } from "../../olm/bundle/load-bundle.ts";
import { openBundle } from "../../olm/registry/open-bundle.ts";
import { formatFindings, type Finding, type RuleOptions } from "../../olm/validate/finding.ts";
import type { OptionalValidator } from "../../olm/validate/optional-validators.ts";
import { validateBundle as runAllRules } from "../../olm/validate/validate-bundle.ts";
import type { Io } from "../io.ts";
import { registrySettings, type RegistryFlags } from "../flags/registry-flags.ts";

export interface ValidateFlags extends RegistryFlags {
  readonly output: "text" | "json-alpha1";
  readonly selectOptional?: string;
  readonly listOptional?: boolean;
  readonly optionalValues: Readonly<Record<string, string>>;
  readonly alphaSelectExternal?: string;
}

/** Prints the findings of the validators; fails if one of them is an error. */
export async function validateBundle(io: Io, bundle: string | undefined, flags: ValidateFlags): Promise<void> {
  if (flags.listOptional) {
    const { formatValidators } = await import("../../olm/validate/optional-validators.ts");
    return io.stdout.write(formatValidators());
  }
  if (bundle === undefined) throw new UsageError("the bundle is missing: tsop bundle validate ./bundle");
  const findings = await findingsOf(io, bundle, flags);
  io.stdout.write(formatFindings(findings, flags.output));
  const errors = findings.filter(({ level }) => level === "error").length;
  if (errors > 0) throw new TsopError("TSOP_BUNDLE_INVALID", { errors: errors === 1 ? "1 error" : `${errors} errors` });
  if (flags.output === "text") io.stderr.write("all validation tests have completed successfully\n");
}

async function findingsOf(io: Io, bundle: string, flags: ValidateFlags): Promise<Finding[]> {
  const validators = await selectedValidators(flags.selectOptional);
  const folder = resolve(io.cwd, bundle);
  const loaded = loadBundle(await openBundle({ name: bundle, folder }, registrySettings(io, flags)));
  const asksRegistries = validators.some(({ name }) => name === "multiarch");
  const platforms = asksRegistries ? { platforms: await platformsOf(io, loaded, flags) } : {};
  const options = { ...(await ruleOptions(io, flags.optionalValues)), ...platforms };
  const findings = await runAllRules(loaded, validators, options);
  const programs = flags.alphaSelectExternal?.split(":").filter(Boolean) ?? [];
  return [...findings, ...(programs.length > 0 ? await externalFindings(io, folder, programs) : [])];
}

async function externalFindings(io: Io, folder: string, programs: readonly string[]): Promise<Finding[]> {
  if ((await io.disk.list(folder)).length === 0) {
    throw new UsageError("--alpha-select-external runs programs on a folder, not on an image");
  }
  const { validateExternally } = await import("../../olm/validate/external.ts");
  const run = (program: string, args: readonly string[]): ReturnType<Io["run"]> =>
    io.run(program, args, { cwd: io.cwd });
  const findings: Finding[] = [];
  for (const program of programs) findings.push(...(await validateExternally(program, folder, run)));
  return findings;
}

async function selectedValidators(selector: string | undefined): Promise<readonly OptionalValidator[]> {
  if (selector === undefined) return [];
  const { selectValidators } = await import("../../olm/validate/optional-validators.ts");
  return selectValidators(selector);
}

async function platformsOf(
  io: Io,
  bundle: Bundle,
  flags: ValidateFlags,
): Promise<NonNullable<RuleOptions["platforms"]>> {
  const { imagesOfCsv } = await import("../../olm/validate/rules/multiarch.ts");
  const { imagePlatforms } = await import("../../olm/registry/image-platforms.ts");
  const { connectRegistry } = await import("../../oci/registry/connect-registry.ts");
  return imagePlatforms(imagesOfCsv(bundle), await connectRegistry(registrySettings(io, flags)));
}

async function ruleOptions(io: Io, values: Readonly<Record<string, string>>): Promise<RuleOptions> {
  const read = async (path: string): Promise<string> => {
    const text = await io.disk.read(resolve(io.cwd, path));
    if (text === undefined) throw new UsageError(`the file ${path} does not exist`);
    return text;
  };
  const { previous } = values as { previous?: string };
  const file = io.env["OPERATOR_BUNDLE_CATEGORIES"];
  const { categories } = file ? parseJsonObject(await read(file), file) : {};
  if (file && !Array.isArray(categories)) throw new UsageError(`${file}: categories must be a list of texts`);
  return {
    ...values,
    ...(previous ? { previousCrds: await readFileCrds(resolve(io.cwd, previous), previous, io.disk) } : {}),
    ...(values["index-path"] ? { indexDockerfile: await read(values["index-path"]) } : {}),
    ...(file ? { categories: categories as string[] } : {}),
  };
}
