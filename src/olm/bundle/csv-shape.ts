import { TsopError } from "../../errors/tsop-error.ts";
import { parseTolerantSemver } from "../semver.ts";

/** Refuses a CSV whose fields have other types than OLM can read; rules may then trust the types. */
export function checkCsvShape(csv: object, file: string): void {
  const refuse = (path: string, reason: string): never => {
    throw new TsopError("TSOP_BUNDLE_CSV_SHAPE", { file, path, reason });
  };
  for (const [path, wanted] of shape) {
    for (const [place, value] of valuesAt(csv, path.split("."), "")) {
      if (value !== undefined && value !== null && typeOf(value) !== wanted)
        refuse(place, `must be a ${wanted}, not a ${typeOf(value)}`);
    }
  }
  const { version } = (csv as { spec?: { version?: string | number | null } }).spec ?? {};
  if (version !== undefined && version !== null && !parseTolerantSemver(String(version))) {
    refuse("spec.version", `${JSON.stringify(version)} is not a semantic version`);
  }
}

type Type = "map" | "list" | "text" | "boolean" | "number";

/** `*` stands for every item of a list. */
const shape: readonly (readonly [string, Type])[] = [
  ["metadata.annotations", "map"],
  ["metadata.labels", "map"],
  ["metadata.name", "text"],
  ["spec", "map"],
  ["spec.displayName", "text"],
  ["spec.description", "text"],
  ["spec.provider", "map"],
  ["spec.maintainers", "list"],
  ["spec.maintainers.*", "map"],
  ["spec.links", "list"],
  ["spec.links.*", "map"],
  ["spec.icon", "list"],
  ["spec.icon.*", "map"],
  ["spec.keywords", "list"],
  ["spec.skips", "list"],
  ["spec.installModes", "list"],
  ["spec.installModes.*", "map"],
  ["spec.installModes.*.supported", "boolean"],
  ["spec.relatedImages", "list"],
  ["spec.relatedImages.*", "map"],
  ["spec.webhookdefinitions", "list"],
  ["spec.webhookdefinitions.*", "map"],
  ["spec.webhookdefinitions.*.conversionCRDs", "list"],
  ["spec.customresourcedefinitions", "map"],
  ["spec.customresourcedefinitions.owned", "list"],
  ["spec.customresourcedefinitions.owned.*", "map"],
  ["spec.customresourcedefinitions.owned.*.name", "text"],
  ["spec.customresourcedefinitions.owned.*.resources", "list"],
  ["spec.customresourcedefinitions.owned.*.specDescriptors", "list"],
  ["spec.customresourcedefinitions.owned.*.statusDescriptors", "list"],
  ["spec.customresourcedefinitions.required", "list"],
  ["spec.customresourcedefinitions.required.*", "map"],
  ["spec.apiservicedefinitions", "map"],
  ["spec.apiservicedefinitions.owned", "list"],
  ["spec.install", "map"],
  ["spec.install.strategy", "text"],
  ["spec.install.spec", "map"],
  ["spec.install.spec.deployments", "list"],
  ["spec.install.spec.deployments.*", "map"],
  ["spec.install.spec.deployments.*.spec", "map"],
  ["spec.install.spec.permissions", "list"],
  ["spec.install.spec.permissions.*.rules", "list"],
  ["spec.install.spec.clusterPermissions", "list"],
  ["spec.install.spec.clusterPermissions.*.rules", "list"],
];

function* valuesAt(value: unknown, path: readonly string[], place: string): Generator<[string, unknown]> {
  const [step, ...rest] = path;
  if (step === undefined) yield [place, value];
  else if (step === "*") {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries()) yield* valuesAt(item, rest, `${place}[${index}]`);
  } else if (typeOf(value) === "map") {
    const member = (value as Record<string, unknown>)[step];
    yield* valuesAt(member, rest, place ? `${place}.${step}` : step);
  }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "text";
  return typeof value === "object" ? "map" : typeof value;
}
