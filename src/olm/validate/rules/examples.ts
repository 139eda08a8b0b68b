import { parseApiVersion } from "../../../apimachinery/kind.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import type { Bundle } from "../../bundle/bundle.ts";
import { readShape, type Shape } from "../../../apimachinery/read-shape.ts";
import type { Report, Rule } from "../finding.ts";

/** Checks the examples in an annotation of the CSV, which consoles offer. */
export const checkExamples: Rule = (bundle, report) => {
  const { annotations } = bundle.csv.metadata;
  const texts = [annotations?.["alm-examples"], annotations?.["olm.examples"]].filter(Boolean);
  const [text] = texts;
  if (text === undefined) {
    return report("warning", "examples-missing", "the annotation alm-examples is missing");
  }
  if (texts.length > 1) {
    const detail = "alm-examples and olm.examples are both set: only alm-examples is used";
    report("warning", "examples-twice", detail);
  }
  const examples = parseExamples(text);
  if ("problem" in examples) {
    report("error", "examples-invalid", examples.problem, { field: "metadata.annotations[alm-examples]" });
  }
  matchExamples("list" in examples ? examples.list : undefined, providedApis(bundle, report), report);
};

/** A custom resource of alm-examples. */
export interface Example {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const exampleShape: Shape = [
  { "apiVersion!": "text", "kind!": "text", metadata: { name: "text" }, spec: {}, status: {} },
];

/** Parses the examples of a CSV, or returns the problem. */
export function parseExamples(text: string): { list: Example[] } | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `is not JSON: ${(error as Error).message}` };
  }
  const isList = Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null);
  if (!isList) return { problem: "must be a list of objects" };
  try {
    return { list: readShape(value, exampleShape, "alm-examples") as Example[] };
  } catch (error) {
    if (!(error instanceof TsopError)) throw error;
    return { problem: error.message.replace(/^.*?: /, "") };
  }
}

function providedApis({ csv }: Bundle, report: Report): Set<string> {
  const apis = new Set<string>();
  for (const { name, version, kind } of csv.spec.customresourcedefinitions?.owned ?? []) {
    if (name.includes(".")) apis.add(`${name.slice(name.indexOf(".") + 1)}/${version}, Kind=${kind}`);
    else report("error", "owned-crd-name", "must be the plural, a dot and the group", { value: name });
  }
  for (const { group, version, kind } of csv.spec.apiservicedefinitions?.owned ?? []) {
    apis.add(`${group}/${version}, Kind=${kind}`);
  }
  return apis;
}

function matchExamples(examples: readonly Example[] | undefined, provided: Set<string>, report: Report): void {
  if (!examples) return;
  const shown = new Set(
    examples.map(({ apiVersion, kind }) => {
      const { group, version } = parseApiVersion(apiVersion ?? "");
      return `${group}/${version}, Kind=${kind}`;
    }),
  );
  for (const api of provided) {
    if (!shown.has(api)) report("warning", "api-without-example", "has no example", { value: api });
  }
  for (const api of shown) {
    if (!provided.has(api)) {
      report("error", "example-without-api", "is an example of a kind that the CSV does not own", { value: api });
    }
  }
}
