import { annotationKeys } from "../../bundle/annotation-keys.ts";
import { parseDocuments } from "../../read-manifests.ts";
import { isSemverRange } from "../../semver-range.ts";
import type { Rule } from "../finding.ts";

/** The annotations by which OLM recognises a bundle. */
export const checkAnnotations: Rule = ({ annotations, content }, report) => {
  const error = (key: string, detail: string): void =>
    report({ level: "error", rule: "annotation", field: "annotations", value: key, detail });
  if (![...content.keys()].some((path) => path.startsWith("metadata/"))) {
    report({ level: "error", rule: "metadata-folder", detail: "the bundle has no metadata folder" });
  }
  const { mediaType, manifests, metadata, package: packageKey, channels, defaultChannel } = annotationKeys;
  for (const key of [mediaType, manifests, metadata, packageKey, channels]) {
    if (annotations[key] === undefined) error(key, "the annotation is missing");
  }
  const type = annotations[mediaType];
  if (type !== undefined && type !== "registry+v1") error(mediaType, `must be "registry+v1", not "${type}"`);
  for (const key of [channels, defaultChannel]) if (annotations[key] === "") error(key, "must not be empty");
};

/** What else must be installed, in `metadata/dependencies.yaml`. */
export const checkDependencies: Rule = ({ content }, report) => {
  const file = "metadata/dependencies.yaml";
  const text = content.get(file);
  if (text === undefined) return;
  const [document] = parseDocuments(text, file);
  const { dependencies = [] } = (document ?? {}) as { dependencies?: { type?: string; value?: unknown }[] };
  for (const [index, { type, value }] of dependencies.entries()) {
    const field = `dependencies[${index}]`;
    const error = (detail: string): void => report({ level: "error", rule: "dependency", field, detail });
    const check = dependencyTypes[type ?? ""];
    if (!check) error(`unknown type "${type}"; known are ${Object.keys(dependencyTypes).join(", ")}`);
    else if (typeof value !== "object" || value === null) error("the value must be a map");
    else check(value as Dependency, error);
  }
};

interface Dependency {
  readonly [field: string]: unknown;
  readonly packageName?: string;
  readonly version?: string | number;
  readonly label?: string;
  readonly cel?: { readonly rule?: string };
}

type Check = (value: Dependency, error: (detail: string) => void) => void;

const dependencyTypes: Readonly<Record<string, Check>> = {
  "olm.gvk": (value, error) => {
    for (const key of ["group", "version", "kind"]) if (!value[key]) error(`${key} is empty`);
  },
  "olm.package": ({ packageName, version }, error) => {
    if (!packageName) error("packageName is empty");
    if (!version) error("version is empty");
    else if (!isSemverRange(String(version))) error(`version "${version}" is not a range of semantic versions`);
  },
  "olm.label": ({ label }, error) => {
    if (!label) error("label is empty");
  },
  "olm.constraint": ({ cel }, error) => {
    if (!cel) error("cel is missing");
    else if (!cel.rule) error("cel.rule is empty");
  },
};
