import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { DefinedVersion, ResourceDefinition } from "../model.ts";
import { typeOf } from "../types/type-names.ts";
import { describeRules } from "./describe-rules.ts";
import { describeStructure, describeType, hasSection, knownTypeWords, type LinkSection } from "./describe-type.ts";
import { codeLine, escapeLine, escapeText, formatTable, yamlBlock } from "./markdown.ts";
import type { PageType, PageTypes } from "./page-types.ts";

/** A kind in the version of a page. */
export interface KindPage {
  readonly resource: ResourceDefinition;
  readonly version: DefinedVersion;
  /** The texts of its samples. */
  readonly samples: readonly string[];
}

/** Formats the section of a kind. */
export function formatKind({ resource, version, samples }: KindPage, type: PageType, types: PageTypes): string {
  const { group, kind } = resource;
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...fields } = version.schema.properties ?? {};
  const fixed = [
    ["`apiVersion`", "string", codeLine(`${group}/${version.name}`), "required"],
    ["`kind`", "string", codeLine(kind), "required"],
    ["`metadata`", knownTypeWords["ObjectMeta"]!, "", ""],
  ];
  const rows = fieldRows({ ...version.schema, properties: fields }, type.heading, types.linksFrom(type));
  return [
    `### ${type.heading}\n`,
    ...paragraph(version.schema.description),
    `${facts(resource, version).join("\n")}\n`,
    ...bullets(describeRules(version.schema)),
    formatTable(columns, [...fixed, ...rows]),
    ...samples.map((text) => `Example:\n\n${yamlBlock(text)}`),
  ].join("\n");
}

/** Formats the section of a type. */
export function formatType(type: PageType, types: PageTypes): string {
  const { heading, schema, usedBy } = type;
  const link = types.linksFrom(type);
  const users = [...usedBy].toSorted().map((name) => `\`${name}\``);
  return [
    `### ${escapeText(heading)}\n`,
    ...paragraph(schema.description),
    ...(hasSection(schema) ? [] : [`Type: ${describeStructure(schema, heading, link)}\n`]),
    `Used by: ${users.join(", ")}\n`,
    ...bullets(describeRules(schema)),
    ...(hasSection(schema) ? [formatTable(columns, fieldRows(schema, heading, link))] : []),
  ].join("\n");
}

const columns = ["Field", "Type", "Description", "Rules"];

function fieldRows(schema: JsonSchema, owner: string, link: LinkSection): string[][] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    // The section of an own type describes the rules of that type; others are described here.
    const named = typeOf(field);
    const shown = named?.file === undefined ? undefined : named.schema;
    const rules = [
      ...(isRequired ? ["required"] : []),
      ...(field.default === undefined ? [] : [`default ${codeLine(JSON.stringify(field.default))}`]),
      ...(named?.builtin === undefined && !isKnown(named?.name) ? ownRules(field, shown) : []),
    ];
    return [
      codeLine(name),
      describeType(field, `${owner}.${name}`, link),
      escapeLine(field.description ?? ""),
      rules.join("<br />"),
    ];
  });
}

/** Describes the rules of a field, and of its items or entries. */
function ownRules(field: JsonSchema, shown: JsonSchema | undefined): string[] {
  const inner =
    field.items ?? (typeof field.additionalProperties === "object" ? field.additionalProperties : undefined);
  // Named types and objects have a section.
  const isShown = shown !== undefined || !inner || typeOf(inner) !== undefined || hasSection(inner);
  const parts = isShown ? [] : describeRules(inner);
  const own = shown === undefined && hasSection(field) ? [] : describeRules(field, shown);
  return [...own, ...(parts.length > 0 ? [`each: ${parts.join(", ")}`] : [])];
}

function isKnown(name: string | undefined): boolean {
  return name !== undefined && Object.hasOwn(knownTypeWords, name);
}

function facts(resource: ResourceDefinition, version: DefinedVersion): string[] {
  const { scope, plural, shortNames, categories } = resource;
  const { subresources, deprecated, served, storage } = version;
  const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
  const state = [...(served ? [] : ["not served"]), ...(storage ? ["the stored version"] : [])];
  const parts = Object.entries(subresources).flatMap(([name, value]) => (value ? [name] : []));
  return [
    `- Scope: ${scope === "Cluster" ? "cluster" : "namespace"}`,
    `- Names for kubectl: ${codes([plural, ...shortNames])}`,
    ...(categories.length > 0 ? [`- Categories: ${codes(categories)}`] : []),
    ...(parts.length > 0 ? [`- Subresources: ${codes(parts)}`] : []),
    ...(state.length > 0 ? [`- This version is ${state.join(", ")}`] : []),
    ...(deprecated ? [`- Deprecated${deprecated.warning ? `: ${escapeText(deprecated.warning)}` : ""}`] : []),
  ];
}

function paragraph(text: string | undefined): string[] {
  return text ? [`${escapeText(text.trim())}\n`] : [];
}

function bullets(phrases: readonly string[]): string[] {
  return phrases.length > 0 ? [`Rules:\n\n${phrases.map((phrase) => `- ${phrase}\n`).join("")}`] : [];
}
