import type { ParsedMarker } from "../source/parse-markers.ts";
import { printColumn, scaleSubresource } from "../markers/resource.ts";
import type { DefinedVersion } from "../model.ts";
import type { Report } from "../report.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";

/** Checks that columns and scale paths resolve, which a server does not check. */
export function lintPaths({ source, schema }: DefinedVersion, report: Report): void {
  for (const parsed of source.markers) {
    for (const [argument, path] of pathsOf(parsed)) {
      const { missing } = followPath(schema, path);
      if (missing === undefined) continue;
      report.error(parsed, "TSOP_MARKER_MISFIT", {
        name: parsed.marker.name,
        reason: `${argument} "${path}" refers to ${missing}, which the schema does not define`,
        advice: "correct the path, or add the field",
      });
    }
  }
}

function pathsOf({ marker, value }: ParsedMarker): [string, string][] {
  const given =
    marker === printColumn || marker === scaleSubresource ? Object.entries(value as Record<string, unknown>) : [];
  return given.filter((entry): entry is [string, string] => entry[0] === "JSONPath" || entry[0].endsWith("path"));
}

interface PathResult {
  /** The schema at the end, if the path is simple enough to follow. */
  readonly found?: JsonSchema;
  /** The part of the path that cannot resolve. */
  readonly missing?: string;
}

/** Follows `.a.b[0].c` through a schema. Filters, wildcards and open objects end the walk without a result. */
function followPath(schema: JsonSchema, path: string): PathResult {
  // The server defines metadata; the schema of a root only declares it as an object.
  if (/^\.metadata\b/.test(path)) return {};
  let here: JsonSchema = schema;
  let walked = "";
  for (const { text, name } of steps(path)) {
    if (name === undefined) return {};
    walked += text;
    const next = typeof name === "number" ? here.items : step(here, name);
    if (next === "open") return {};
    if (!next) return { missing: walked };
    here = next;
  }
  return { found: here };
}

function step(schema: JsonSchema, name: string): JsonSchema | "open" | undefined {
  const property = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  if (property) return property;
  if (schema["x-kubernetes-preserve-unknown-fields"] || schema["x-kubernetes-embedded-resource"]) return "open";
  if (typeof schema.additionalProperties === "object") return schema.additionalProperties;
  return schema.additionalProperties ? "open" : undefined;
}

const token = /\.((?:[^.[\]\\]|\\.)+)|\[(\d+)\]|\[['"]([^'"]+)['"]\]/y;

/** Splits a path into steps. A step without a name is one that this walk does not support. */
function* steps(path: string): Generator<{ text: string; name: string | number | undefined }> {
  for (let at = 0; at < path.length;) {
    token.lastIndex = at;
    const match = token.exec(path);
    if (!match) return yield { text: path.slice(at), name: undefined };
    at += match[0].length;
    const [text, plain, index, quoted] = match;
    const name = index === undefined ? (plain?.replace(/\\(.)/g, "$1") ?? quoted) : Number(index);
    yield { text, name: name === "*" ? undefined : name };
  }
}
