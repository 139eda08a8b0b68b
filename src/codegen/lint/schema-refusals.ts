import type { FieldError } from "../../apimachinery/field-error.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { originOf } from "../source/rule-origins.ts";
import type { DefinedVersion } from "../model.ts";
import type { Place, Report } from "../report.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import { adviceFor } from "./advice.ts";
import { locate } from "./locate.ts";

interface Surroundings {
  readonly sources: ProjectSources;
  readonly report: Report;
}

/** Reports an error in a schema at the marker that causes it, or else at the property. */
export function reportSchemaError(
  { field, message }: FieldError,
  { schema, source }: DefinedVersion,
  { sources, report }: Surroundings,
): void {
  const steps = stepsIn(field);
  const names = steps.flatMap(({ property }) => property ?? []);
  const path = [source.kind, ...names].join(".");
  const endless = message.includes("cost") ? endlessLists(schema, steps) : [];
  const advice = endless.length > 0 ? `add ${endless.join(", and ")}` : adviceFor(field, message);
  const refuse = (place: Place, reason: string): void =>
    report.error(place, "TSOP_CRD_REFUSED", { path, reason, advice });
  const [, validations, index, argument = ""] = /^(.*)\.x-kubernetes-validations\[(\d+)\]\.?(\w*)/.exec(field) ?? [];
  const property = locate(source, names, sources);
  if (validations === undefined) {
    const what = field.slice(field.lastIndexOf("]") + 1).replace(/^\./, "") || "it";
    refuse(markerFor(what, property, sources) ?? property, `the API server rejects ${what}: ${message}`);
    return;
  }
  const rule = nodeAt(schema, stepsIn(validations))?.["x-kubernetes-validations"]?.[Number(index)];
  const marker = rule && originOf(rule);
  const text = argument === "messageExpression" ? rule?.messageExpression : rule?.rule;
  const start = marker && text ? marker.file.text.indexOf(text, marker.offset) : -1;
  const inMarker = marker && start >= 0 && !marker.file.text.slice(marker.offset, start).includes("\n");
  const ofUnion = marker && !("marker" in marker);
  const what = ofUnion
    ? "a rule of this union"
    : argument === "messageExpression"
      ? "this messageExpression"
      : "this rule";
  const issues = [...message.matchAll(/ERROR: <input>:\d+:(\d+): ([^\n]*)/g)];
  for (const [, column = "1", problem = ""] of issues) {
    const place = inMarker ? { file: marker.file, offset: start + Number(column) - 1 } : (marker ?? property);
    refuse(place, `the API server rejects ${what}: ${problem}`);
  }
  if (issues.length === 0) refuse(marker ?? property, `the API server rejects ${what}: ${withoutRule(message)}`);
}

interface Step {
  readonly text: string;
  readonly property?: string;
  readonly key?: "items" | "additionalProperties";
}

/** Parses a field path as the server writes it. */
function stepsIn(field: string): Step[] {
  return [...field.matchAll(/\.properties\[([^\]]*)\]|\.(items|additionalProperties)(?=[.]|$)/g)].map(
    ([text, property, key]) =>
      property === undefined ? { text, key: key as "items" | "additionalProperties" } : { text, property },
  );
}

function nodeAt(schema: JsonSchema, steps: readonly Step[]): JsonSchema | undefined {
  return steps.reduce<JsonSchema | undefined>((node, { property, key }) => {
    const next = property === undefined ? node?.[key ?? "items"] : node?.properties?.[property];
    return typeof next === "object" ? next : undefined;
  }, schema);
}

/** Says which lists and maps around a rule need a limit, because a server evaluates the rule for each element. */
function endlessLists(schema: JsonSchema, steps: readonly Step[]): string[] {
  return steps.flatMap(({ key }, index) => {
    const before = steps.slice(0, index);
    const list = nodeAt(schema, before);
    const [limit, marker] = key === "items" ? [list?.maxItems, "MaxItems"] : [list?.maxProperties, "MaxProperties"];
    if (!key || limit !== undefined) return [];
    const name = before
      .map(({ property }) => property ?? "[]")
      .join(".")
      .replaceAll(".[]", "[]");
    return [`+kubebuilder:validation:${marker} to ${name}`];
  });
}

/** The markers that write each key of a schema. */
const writers: readonly (readonly [key: RegExp, marker: RegExp])[] = [
  [/^default\b/, /default$/],
  [/\bpattern$/, /:Pattern$/],
  [/uniqueItems$/, /:UniqueItems$/],
  [/list-map-keys$|^items\.properties$/, /listMapKey$/],
  [/list-type$|^items\.(type|x-kubernetes-map-type|nullable)$/, /listType$/],
  [/map-type$/, /(mapType|structType)$/],
  [/embedded-resource|^properties$/, /EmbeddedResource$/],
  [/^type$/, /:Type$/],
];

function markerFor(what: string, { file, offset }: Place, sources: ProjectSources): Place | undefined {
  const [, name] = writers.find(([key]) => key.test(what)) ?? [];
  const candidates = sources.module(file.path)?.markers.byDeclaration.get(offset) ?? [];
  return name && candidates.findLast(({ marker }) => name.test(marker.name));
}

/** Removes the rule that the server repeats in a form of its own. */
function withoutRule(message: string): string {
  return message.replace(/^Invalid value: \{"Rule":.*?\}: /s, "");
}
