import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { applyMergePatch } from "../../apimachinery/patch/merge-patch.ts";
import { changeAndBack, valueAt, type Sample } from "../scenario/derive-scenario.ts";
import type { FieldValue } from "../scenario/schema-values.ts";
import type { Scenario, Step } from "../scenario/scenario.ts";
import { editOfData } from "./edit-of-data.ts";
import type { Plan } from "./plan.ts";

/** Makes plans that set a field, of the custom resource or of what it may read, to a value that the server accepts, and back. */
export function explorationPlans({ steps }: Scenario, values: readonly (readonly [Sample, FieldValue])[]): Plan[] {
  const [first] = steps;
  if (!first) return [];
  // A short budget first tries the fields that the sample sets, their neighbours, and fields near the root, before
  // details of a pod.
  const byNearness = [...values, ...inputsOf(first)].toSorted(
    ([sampleA, a], [sampleB, b]) => distance(sampleA, a) - distance(sampleB, b) || a.path.length - b.path.length,
  );
  const sampled = [...new Set(byNearness.map(([{ object }]) => object))];
  return byNearness.map(([sample, value]) => {
    const [change, back] = changeAndBack(sample, value);
    const field = value.path.join(".");
    const { kind, metadata } = sample.object;
    const isOneOfSome = sampled.filter((other) => other.kind === kind).length > 1;
    const what = isOneOfSome ? `${kind} ${metadata.name}` : kind;
    return {
      // A size may be reached in steps, each when the one before is ready.
      ...(typeof value.value === "number" ? { keepsData: true } : bornWith(first, sample, change)),
      ...(turnsOff(sample, value) && { turnsOff: true }),
      id: `exploration:${what}:${field}:${value.label}`,
      faultClass: "exploration",
      description: `${field} of ${what} is set to ${value.label} (${JSON.stringify(value.value)}), and back`,
      steps: [{ ...first, reaches: first.name }, change, { ...back, reaches: first.name }],
    };
  });
}

/** Returns a change of each ConfigMap and Secret among the samples: the operator may read it. */
function inputsOf({ action }: Step): (readonly [Sample, FieldValue])[] {
  const objects = action.type === "apply" ? action.objects : [];
  return objects.flatMap((object) => {
    const isInput = /^(ConfigMap|Secret)$/.test(object.kind ?? "");
    const edit = isInput ? editOfData(object) : undefined;
    if (!edit) return [];
    const sample = { object, schema: {} };
    return [[sample, { ...edit, label: "another value" }] as const];
  });
}

/** Reports whether a value turns off what the sample asks for. */
function turnsOff({ object }: Sample, { path, value }: FieldValue): boolean {
  const present = valueAt(object, path);
  const isSet = typeof present === "object" && present !== null;
  if (value === null) return present === true || isSet;
  // An empty value of a field that is not set may turn something on, and false may turn off a default.
  return value === false || (isSet && typeof value === "object" && Object.keys(value).length === 0);
}

/** Counts the names on the way to a field that the sample does not set. */
function distance({ object }: Sample, { path }: FieldValue): number {
  return path.filter((_, index) => valueAt(object, path.slice(0, index + 1)) === undefined).length;
}

/** Returns the step that creates a sample as a change leaves it. */
function bornWith(first: Step, { object }: Sample, { action }: Step): Pick<Plan, "born"> {
  if (first.action.type !== "apply" || action.type !== "patch") return {};
  const { patch } = action;
  const objects = first.action.objects.map((each) =>
    each === object ? (applyMergePatch(each, patch) as UnstructuredObject) : each,
  );
  return { born: { name: first.name, action: { type: "apply", objects } } };
}
