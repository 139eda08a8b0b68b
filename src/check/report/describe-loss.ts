import type { Violation } from "../oracles/violation.ts";
import type { Plan } from "../plans/plan.ts";
import { causeOfLoss, formatPath, type Conversion, type ConversionRule, type Loss } from "../conversion/conversion.ts";
import { shortName } from "../conversion/version.ts";

/** Returns the plan that repeats the conversion of a loss. */
export function planOf(loss: Loss): Plan {
  const { object, to, change, mistake } = loss.conversion;
  const edit = change ? `, after ${formatPath(change.path)} is ${formatValue(change)} there` : "";
  const what = mistake ? `an invalid ${object.kind}, with ${formatPath(mistake.path)} of a wrong type,` : object.kind;
  return {
    id: `conversion:${causeOfLoss(loss)}`,
    faultClass: "conversion",
    description: `${what} of ${shortName(object.apiVersion)} is converted to ${shortName(to)} and back${edit}`,
    steps: [],
    conversion: loss.conversion,
  };
}

function formatValue({ op, value }: { readonly op: string; readonly value?: unknown }): string {
  return op === "remove" ? "removed" : `set to ${JSON.stringify(value)}`;
}

/** Describes a loss as a finding of `tsop check`; in a project, with a test that repeats it. */
export function violationOf(loss: Loss, isProject: boolean): Violation {
  const { conversion, version, difference, rule } = loss;
  const [sentence, hint] = texts[rule];
  const asText = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));
  return {
    oracle: "conversion",
    about: `${version.kind} ${causeOfLoss(loss).replace(version.apiVersion, shortName(version.apiVersion))}`,
    sentence: sentence(factsOf(loss)),
    hint,
    ...(difference && {
      differences: [
        {
          id: `${version.kind} ${shortName(version.apiVersion)}`,
          path: formatPath(difference.path),
          expected: asText(difference.before),
          actual: asText(difference.after),
        },
      ],
    }),
    lines: isProject ? testLines(loss) : formatJson(conversion),
  };
}

interface Facts {
  readonly field: string;
  readonly version: string;
  readonly other: string;
  readonly change: string;
  readonly before: string;
  readonly after: string;
  readonly message: string;
}

function factsOf({ about, version, conversion, difference, message }: Loss): Facts {
  const { object, to, change } = conversion;
  const other = version.apiVersion === to ? object.apiVersion : to;
  return {
    field: `${about} of ${shortName(version.apiVersion)}`,
    version: shortName(version.apiVersion),
    other: shortName(other),
    change: formatPath(change?.path ?? ""),
    before: JSON.stringify(difference?.before) ?? "nothing",
    after: JSON.stringify(difference?.after) ?? "nothing",
    message: message === undefined ? "" : `: ${message}`,
  };
}

/** A sentence for each rule, and a likely fix. */
const texts: Readonly<Record<ConversionRule, readonly [sentence: (facts: Facts) => string, hint: string]>> = {
  lost: [
    ({ field, other, before, after }) => `${field} comes back from ${other} as ${after} instead of ${before}.`,
    "keep what the other version has no field for in an annotation, and give both versions the same defaults",
  ],
  "change-lost": [
    ({ field, other, before, after }) => `${field} is ${after} instead of ${before} after a change in ${other}.`,
    "an annotation that keeps a value must not win over what a user has changed since",
  ],
  "change-ignored": [
    ({ field, change, other, before, after }) =>
      `A change of ${change} in ${other} does not reach ${field}, which is ${after} instead of ${before}.`,
    "an annotation that keeps a value must not win over what a user has changed since",
  ],
  "not-kept": [
    ({ field, change, other }) => `${field}, which ${other} does not have, is lost when ${change} is changed there.`,
    "read the annotation that keeps it also if other fields have changed",
  ],
  refused: [
    ({ version, other, message }) => `A valid object of ${version} is not converted to ${other}${message}.`,
    "a list fails as a whole if one of its objects is refused: convert it, or refuse it in the schema",
  ],
  metadata: [
    ({ field, other }) => `The conversion to ${other} does not keep ${field}.`,
    "return the metadata of the object: servers restore it, or refuse the answer, except for labels and annotations",
  ],
  unstable: [
    ({ field, other }) => `Two conversions of the same object of ${other} differ in ${field}.`,
    "compute the result from the object alone, without the time or a random value",
  ],
  batch: [
    ({ version, message }) => `A list of ${version} is converted in another way than its objects alone${message}.`,
    "return one object for each, in the same order",
  ],
  mutated: [({ version }) => `The converter changes the object of ${version} that it is given.`, "return a new object"],
  "invalid-accepted": [
    ({ field }) => `An invalid object is accepted, and ${field} is dropped.`,
    "throw an error if a value has another type than expected",
  ],
};

/** Formats a conversion as JSON, with a line for each part. */
function formatJson(conversion: Conversion): string[] {
  const parts = Object.entries(conversion).flatMap(([name, part]: [string, unknown]) =>
    part === undefined ? [] : `  ${JSON.stringify(name)}: ${JSON.stringify(part)}`,
  );
  return `{\n${parts.join(",\n")}\n}`.split("\n");
}

/** Returns the lines of a test for a project, which names its converter and kinds as its scaffolded tests do. */
function testLines({ conversion, version: { kind }, ...loss }: Loss): string[] {
  const converter = `${kind[0]!.toLowerCase()}${kind.slice(1)}Converter`;
  const declaration = `const conversion = ${formatJson(conversion).join("\n")};`;
  return [
    `it(${JSON.stringify(`keeps ${loss.about}`)}, async () => {`,
    ...declaration.split("\n").map((line) => `  ${line}`),
    `  const { report } = await checkConversion(${converter}, [Hub, ${kind}], { cases: [conversion] });`,
    `  expect(report).toBe("");`,
    "});",
  ];
}
