import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import type { ChartValue } from "./values.ts";

/** Writes values.yaml: each value under its comment. */
export function formatValues(name: string, values: readonly ChartValue[]): string {
  const parts = values.flatMap(({ path, comment, value, schema }) => {
    const steps = path.split(".");
    const name = steps.at(-1)!;
    const lines = schema
      ? emitYaml({ [name]: value })
          .trimEnd()
          .split("\n")
      : [`${name}:`];
    const commented = comment === "" ? lines : [`# ${comment}`, ...lines];
    const margin = "  ".repeat(steps.length - 1);
    return [...(steps.length === 1 ? [""] : []), ...commented.map((line) => margin + line)];
  });
  return [`# Values of the chart ${name}: the defaults are those of config/default.`, ...parts, ""].join("\n");
}

interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
}

/** Writes values.schema.json, with which Helm checks the values. A misspelled value of a group is an error. */
export function formatSchema(name: string, values: readonly ChartValue[]): string {
  const root: Schema = { type: "object", properties: {} };
  for (const { path, comment, schema } of values) {
    const steps = path.split(".");
    const parent = steps.slice(0, schema ? -1 : undefined).reduce(groupIn, root);
    const description = comment === "" ? {} : { description: comment };
    if (schema) parent.properties![steps.at(-1)!] = { ...schema, ...description };
    else Object.assign(parent, description);
  }
  const head = { $schema: "http://json-schema.org/draft-07/schema#", title: `Values of the chart ${name}` };
  return `${JSON.stringify({ ...head, ...root }, null, 2)}\n`;
}

function groupIn(parent: Schema, step: string): Schema {
  return (parent.properties![step] ??= { type: "object", additionalProperties: false, properties: {} });
}
