import { posix } from "node:path";
import { isObject } from "../apimachinery/is-object.ts";
import type { FileChange } from "../files/plan.ts";
import { keepLineEnds } from "../files/line-ends.ts";
import { findYamlScalar, parseYamlDocuments, YamlError } from "../apimachinery/yaml/parse.ts";
import { emitYaml } from "../apimachinery/yaml/emit.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { checkValues } from "./check-values.ts";
import { editYaml } from "./edit-yaml.ts";
import { layoutKey, type Project } from "./project.ts";
import { nearestWord } from "../apimachinery/edit-distance.ts";

/** Parses a PROJECT file; `file` is its name in messages. */
export function parseProject(text: string, file: string): Project {
  const value = parseMapping(text, file);
  const invalid = (reason: string, field?: string): never => {
    const { line, column } = findYamlScalar(text, field);
    throw new TsopError("TSOP_PROJECT_INVALID", { place: `${file}:${line}:${column}`, reason });
  };
  // Other unknown keys may be those of a newer tool.
  const refuseMisspelled = (fields: object, known: readonly string[], where: string): void => {
    for (const key of Object.keys(fields).filter((name) => !known.includes(name))) {
      const meant = nearestWord(key, known);
      if (meant !== undefined) invalid(`${where} has the unknown key ${key}: did you mean ${meant}?`, key);
    }
  };
  refuseMisspelled(value, projectKeys, "it");
  const version = value["version"] ?? invalid("it has no version");
  if (version !== "3") {
    const found = `schema version ${JSON.stringify(version)}`;
    throw new TsopError("TSOP_PROJECT_VERSION", { file, found, wanted: "3" });
  }
  const layout = asTexts(value["layout"]) ?? invalid("layout must be a list of strings", "layout");
  if (!layout.includes(layoutKey)) {
    const other = layout.find((key) => key.startsWith(`${posix.dirname(layoutKey)}/`));
    if (other) throw new TsopError("TSOP_PROJECT_VERSION", { file, found: `the layout ${other}`, wanted: layoutKey });
    throw new TsopError("TSOP_PROJECT_LAYOUT", { file, layout: layout.join(","), wanted: layoutKey });
  }
  if (typeof value["projectName"] !== "string") invalid("projectName must be a string", "projectName");
  for (const [index, resource] of asList(value["resources"], () =>
    invalid("resources must be a list", "resources"),
  ).entries()) {
    const fields = (resource ?? {}) as Record<string, unknown>;
    const { api, domain, external, kind, version } = fields;
    refuseMisspelled(fields, resourceKeys, `resources[${index}]`);
    if (typeof kind !== "string" || typeof version !== "string")
      invalid(`resources[${index}] needs a kind and a version`, "resources");
    if (api && domain && !external && !value["domain"])
      invalid(`it has no domain, but resources[${index}] has one`, "resources");
  }
  checkValues(value, { text, file });
  return { ...value, layout } as unknown as Project;
}

/** Formats a PROJECT file. An existing text is edited in place, so that comments, unknown fields and line ends stay. */
export function formatProject(project: Project, before?: string): string {
  const value = JSON.parse(JSON.stringify(project)) as Record<string, unknown>;
  return before === undefined ? header + emitYaml(value) : keepLineEnds(before, (text) => editYaml(text, value));
}

/** Returns the change of PROJECT that records a project; none if its text stays the same. */
export function recordProject(project: Project, before: string): FileChange[] {
  const text = formatProject(project, before);
  return text === before ? [] : [{ type: "update", path: "PROJECT", text, before }];
}

const header = `# Written by tsop: what this project was made of, for the commands that change it.
# Edit it only together with the files that it tells of.
`;

function parseMapping(text: string, file: string): Record<string, unknown> {
  const refuse = (reason: string, { line, column } = { line: 1, column: 1 }, cause?: unknown): never => {
    throw new TsopError("TSOP_PROJECT_INVALID", { place: `${file}:${line}:${column}`, reason }, { cause });
  };
  let documents: unknown[];
  try {
    documents = parseYamlDocuments(text);
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    return refuse(cause.reason, cause, cause);
  }
  const [value] = documents;
  if (documents.length > 1) return refuse("it must be one document");
  return isObject(value) ? value : refuse("it must be a map");
}

/** Reads a single text as a list of one. */
function asTexts(value: unknown): string[] | undefined {
  const list = typeof value === "string" ? [value] : value;
  return Array.isArray(list) && list.every((item) => typeof item === "string") ? list : undefined;
}

function asList(value: unknown, invalid: () => never): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : invalid();
}

// The keys of PROJECT and of a resource in it, with those of kubebuilder and operator-sdk.
const projectKeys =
  "cliVersion componentConfig domain layout multigroup namespaced plugins projectName repo resources version".split(
    " ",
  );
const resourceKeys =
  "api controller controllers core domain external group kind module path plural version webhooks".split(" ");
