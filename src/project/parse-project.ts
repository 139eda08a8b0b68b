import { load, YAMLException } from "js-yaml";
import { isObject } from "../apimachinery/is-object.ts";
import { emitYaml } from "../apimachinery/yaml/emit.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { editYaml } from "./edit-yaml.ts";
import { layoutKey, type Project } from "./project.ts";

/** Parses a PROJECT file; `file` is its name in messages. */
export function parseProject(text: string, file: string): Project {
  const value = parseMapping(text, file);
  const invalid = (reason: string): never => {
    throw new TsopError("TSOP_PROJECT_INVALID", { file, reason });
  };
  const version = value["version"] ?? invalid("it has no version");
  if (version !== "3") throw new TsopError("TSOP_PROJECT_VERSION", { file, version: JSON.stringify(version) });
  const layout = asTexts(value["layout"]) ?? invalid("layout must be a list of strings");
  if (!layout.includes(layoutKey)) {
    throw new TsopError("TSOP_PROJECT_LAYOUT", { file, layout: layout.join(","), wanted: layoutKey });
  }
  if (typeof value["projectName"] !== "string") invalid("projectName must be a string");
  for (const [index, resource] of asList(value["resources"], () => invalid("resources must be a list")).entries()) {
    const { kind, version } = (resource ?? {}) as Record<string, unknown>;
    if (typeof kind !== "string" || typeof version !== "string")
      invalid(`resources[${index}] needs a kind and a version`);
  }
  return { ...value, layout } as unknown as Project;
}

/** Formats a PROJECT file. An existing text is edited in place, so that comments and unknown fields stay. */
export function formatProject(project: Project, before?: string): string {
  const value = JSON.parse(JSON.stringify(project)) as Record<string, unknown>;
  return before === undefined ? header + emitYaml(value) : editYaml(before, value);
}

const header = `# Written by tsop: what this project was made of, for the commands that change it.
# Edit it only together with the files that it tells of.
`;

function parseMapping(text: string, file: string): Record<string, unknown> {
  try {
    const value = load(text);
    if (isObject(value)) return value;
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause;
    const { line, column } = cause.mark;
    const reason = `${cause.reason} (line ${line + 1}, column ${column + 1})`;
    throw new TsopError("TSOP_PROJECT_INVALID", { file, reason }, { cause });
  }
  throw new TsopError("TSOP_PROJECT_INVALID", { file, reason: "it must be a map" });
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
