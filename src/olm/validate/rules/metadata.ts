import { annotationKeys } from "../../bundle/bundle.ts";
import { parseDocuments } from "../../../client/manifests/parse-documents.ts";
import { isSemverRange } from "../../semver.ts";
import type { Rule } from "../finding.ts";

/** Checks the annotations that identify a bundle. */
export const checkAnnotations: Rule = ({ annotations, content }, report) => {
  const error = (key: string, detail: string): void =>
    report("error", "annotation", detail, { field: "annotations", value: key });
  if (![...content.keys()].some((path) => path.startsWith("metadata/"))) {
    report("error", "metadata-folder", "the bundle has no metadata folder");
  }
  const { mediaType, manifests, metadata, package: packageKey, channels, defaultChannel } = annotationKeys;
  for (const key of [mediaType, manifests, metadata, packageKey, channels]) {
    if (annotations[key] === undefined) error(key, "the annotation is missing");
  }
  const type = annotations[mediaType];
  if (type !== undefined && type !== "registry+v1") error(mediaType, `must be "registry+v1", not "${type}"`);
  for (const key of [channels, defaultChannel]) if (annotations[key] === "") error(key, "must not be empty");
};

/** Checks the dependencies in `metadata/dependencies.yaml`. */
export const checkDependencies: Rule = async ({ content }, report) => {
  const file = "metadata/dependencies.yaml";
  const text = content.get(file);
  if (text === undefined) return;
  const [document] = parseDocuments(text, file);
  const { dependencies } = (document ?? {}) as { dependencies?: { type?: string; value?: unknown }[] };
  const list = Array.isArray(dependencies) ? dependencies : [];
  if (dependencies && list !== dependencies) {
    report("error", "dependency", "must be a list", { field: "dependencies" });
  }
  for (const [index, dependency] of list.entries()) {
    const { type, value } = dependency ?? {};
    const field = `dependencies[${index}]`;
    const error = (detail: string): void => report("error", "dependency", detail, { field });
    const check = dependencyTypes[type ?? ""];
    if (!check) error(`unknown type "${type}"; known types are ${Object.keys(dependencyTypes).join(", ")}`);
    else if (typeof value !== "object" || value === null) error("the value must be a map");
    else await check(value, error);
  }
};

interface Dependency {
  readonly group?: unknown;
  readonly version?: unknown;
  readonly kind?: unknown;
  readonly packageName?: unknown;
  readonly label?: unknown;
  readonly failureMessage?: unknown;
  readonly cel?: { readonly rule?: unknown };
}

type Check = (value: Dependency, error: (detail: string) => void) => void | Promise<void>;

const dependencyTypes: Readonly<Record<string, Check>> = {
  "olm.gvk": ({ group, version, kind }, error) => {
    for (const [name, text] of Object.entries({ group, version, kind })) checkText(name, text, error);
  },
  "olm.package": ({ packageName, version }, error) => {
    checkText("packageName", packageName, error);
    if (checkText("version", version, error) && !isSemverRange(version as string))
      error(`version "${version as string}" is not a range of semantic versions`);
  },
  "olm.label": ({ label }, error) => void checkText("label", label, error),
  "olm.constraint": async ({ cel, failureMessage }, error) => {
    if (failureMessage !== undefined && typeof failureMessage !== "string") error("failureMessage must be a string");
    if (!cel) return error("cel is missing");
    if (!checkText("cel.rule", cel.rule, error)) return;
    const { constraintProblem } = await import("../constraint-problem.ts");
    const problem = constraintProblem(cel.rule as string);
    if (problem) error(`cel.rule is not an expression that OLM accepts: ${problem}`);
  },
};

/** Checks that a field holds a text. YAML reads `1.2` as a number, and `no` as a boolean. */
function checkText(name: string, value: unknown, error: (detail: string) => void): boolean {
  if (typeof value === "string" && value !== "") return true;
  error(
    value === undefined || value === null || value === "" ? `${name} is empty` : `${name} must be a string, in quotes`,
  );
  return false;
}
