import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { limits, type Limit } from "../../apimachinery/tags.ts";
import { fits } from "../markers/limits.ts";
import { pascalCase } from "./pascal-case.ts";

/** The keywords of a schema that no type has expressed yet. A function removes those that it writes. */
export type Rest = JsonSchema;

/** The type that the evaluator sees, which decides on the markers that fit. */
export type SeenType = JsonSchema["type"] | "int-or-string";

/**
 * Writes the markers of all keywords that are left, without the plus. Keywords without a marker of their own become one
 * `tsop:schema`, so that nothing is lost.
 */
export function markerLines(rest: Rest, type: SeenType): string[] {
  const lines = [...limitLines(rest, type), ...topologyLines(rest, type), ...extensionLines(rest), ...ruleLines(rest)];
  return [...lines, ...jsonLine(rest)];
}

function limitLines(rest: Rest, type: SeenType): string[] {
  const seen = type === "int-or-string" ? { type: undefined, intOrString: true } : { type, intOrString: false };
  return ([...Object.keys(limits), "format"] as (Limit | "format")[]).flatMap((key) => {
    const value = rest[key];
    if (value === undefined) return [];
    const isOff = value === false || value === ""; // the same as none
    const fraction = type === "integer" && typeof value === "number" && !Number.isInteger(value);
    const fitting = key === "format" || fits(key, seen);
    if (!isOff && (!fitting || fraction)) return [];
    delete rest[key];
    return isOff ? [] : [`kubebuilder:validation:${pascalCase(key)}=${argument(value)}`];
  });
}

function topologyLines(rest: Rest, type: SeenType): string[] {
  const lines: string[] = [];
  if (type === "array" && rest["x-kubernetes-list-type"]) {
    lines.push(`listType=${rest["x-kubernetes-list-type"]}`);
    const isMap = rest["x-kubernetes-list-type"] === "map";
    delete rest["x-kubernetes-list-type"];
    if (isMap) {
      for (const key of rest["x-kubernetes-list-map-keys"] ?? []) lines.push(`listMapKey=${argument(key)}`);
      delete rest["x-kubernetes-list-map-keys"];
    }
  }
  if (type === "object" && rest["x-kubernetes-map-type"]) {
    lines.push(`mapType=${rest["x-kubernetes-map-type"]}`);
    delete rest["x-kubernetes-map-type"];
  }
  return lines;
}

const extensions = {
  "x-kubernetes-preserve-unknown-fields": "kubebuilder:pruning:PreserveUnknownFields",
  "x-kubernetes-embedded-resource": "kubebuilder:validation:XEmbeddedResource",
} as const;

function extensionLines(rest: Rest): string[] {
  return (Object.keys(extensions) as (keyof typeof extensions)[]).flatMap((key) => {
    const value = rest[key];
    delete rest[key];
    return value ? [extensions[key]] : [];
  });
}

function ruleLines(rest: Rest): string[] {
  const rules = rest["x-kubernetes-validations"] ?? [];
  // The marker refuses a value without effect; a CRD may have it all the same.
  if (rules.some(({ rule, optionalOldSelf }) => optionalOldSelf && !/\boldSelf\b/.test(rule))) return [];
  delete rest["x-kubernetes-validations"];
  return rules.map((rule) => `kubebuilder:validation:XValidation:${formatArguments(withoutEmpty(rule))}`);
}

function withoutEmpty(rule: ValidationRule): object {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== ""));
}

function jsonLine(rest: Rest): string[] {
  const left = Object.entries(rest).filter(([, value]) => value !== undefined);
  return left.length > 0 ? [`tsop:schema=${json(Object.fromEntries(left))}`] : [];
}

/** Writes the named arguments of a marker. */
export function formatArguments(values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return given.map(([name, value]) => `${name}=${argument(value)}`).join(",");
}

/** Writes a value as a marker reads it, with quotes only around strings that need them. */
function argument(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(argument).join(",")}}`;
  if (typeof value !== "string") return json(value);
  if (/^[A-Za-z][\w.-]*$/.test(value) && value !== "true" && value !== "false") return value;
  return value.includes("\\") && !/[`\n\r]|\*\//.test(value) ? `\`${value}\`` : json(value);
}

/** Writes JSON that does not end a comment. */
export function json(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("*/", "*\\u002f")
    .replace(/[\u007f-\u009f\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
