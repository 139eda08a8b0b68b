import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { applyMergePatch, createMergePatch } from "../../apimachinery/patch/merge-patch.ts";
import { formatRef, refOf, type Scenario, type Step } from "./scenario.ts";
import { valuesOf, type FieldValue } from "./schema-values.ts";

/** A custom resource of the samples, with the schema of its spec. */
export interface Sample {
  readonly object: UnstructuredObject;
  readonly schema: JsonSchema;
}

/** Reports whether the server accepts a value of a field. */
export type Accepts = (sample: Sample, value: FieldValue) => Promise<boolean>;

/** Returns the samples: the objects whose kind a CRD defines. */
export function samplesOf(objects: readonly UnstructuredObject[], crds: readonly UnstructuredObject[]): Sample[] {
  return objects.flatMap((object) => {
    const schema = schemaOf(object, crds);
    return schema ? [{ object, schema }] : [];
  });
}

interface CrdSpec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly { readonly name: string; readonly schema?: { readonly openAPIV3Schema?: JsonSchema } }[];
}

function schemaOf(
  { apiVersion, kind }: UnstructuredObject,
  crds: readonly UnstructuredObject[],
): JsonSchema | undefined {
  for (const { spec } of crds as unknown as readonly { spec: CrdSpec }[]) {
    if (spec.names.kind !== kind) continue;
    const version = spec.versions.find(({ name }) => `${spec.group}/${name}` === apiVersion);
    if (version) return version.schema?.openAPIV3Schema?.properties?.["spec"] ?? {};
  }
  return undefined;
}

/** Returns the values for the fields of a sample's spec. */
export function fieldValues({ object, schema }: Sample): FieldValue[] {
  return valuesOf(schema, ["spec"], object["spec"]);
}

/** Derives a scenario from samples: create, change, change back, delete. */
export async function deriveScenario(
  objects: readonly UnstructuredObject[],
  samples: readonly Sample[],
  accepts: Accepts,
): Promise<Scenario> {
  const steps: Step[] = [{ name: "create", action: { type: "apply", objects } }];
  for (const sample of samples) {
    const change = await firstAccepted(sample, accepts);
    if (change)
      steps.push(...changeAndBack(sample, change, samples.length > 1 ? ` of ${nameAmong(sample, samples)}` : ""));
  }
  const targets = samples.map(({ object }) => refOf(object));
  steps.push({ name: "delete", action: { type: "delete", targets } });
  return { steps };
}

/** Gives a sample a name that no other sample has. */
function nameAmong({ object }: Sample, samples: readonly Sample[]): string {
  const { name = "" } = object.metadata;
  const isShared = samples.filter((other) => other.object.metadata.name === name).length > 1;
  return isShared ? formatRef(refOf(object)) : name;
}

/** Returns the steps that set a field and reset it. */
export function changeAndBack(sample: Sample, change: FieldValue, suffix = ""): [Step, Step] {
  const target = refOf(sample.object);
  const { patch, back } = patchesOf(sample, change);
  const field = change.path.join(".") + suffix;
  return [
    { name: `change ${field}`, action: { type: "patch", target, patch, ifPresent: true } },
    { name: `change back ${field}`, action: { type: "patch", target, patch: back, ifPresent: true } },
  ];
}

/** Returns the merge patches that set a field to exactly a value, and that restore the sample: keys come and go. */
export function patchesOf({ object }: Sample, { path, value }: FieldValue): { patch: object; back: object } {
  const without = applyMergePatch(object, nested(path, null));
  const changed = applyMergePatch(without, nested(path, value));
  return {
    patch: createMergePatch(object, changed) as object,
    back: createMergePatch(changed, object) as object,
  };
}

/** The name of a field, such as `gatewayClassName`, whose change hands the object over to another program. */
const chooser = /ClassName$|^schedulerName$/;

/** Chooses a field that the sample sets; a number before others, as it is most likely a size. */
async function firstAccepted(sample: Sample, accepts: Accepts): Promise<FieldValue | undefined> {
  const rank = ({ path, value, label }: FieldValue): number =>
    (chooser.test(path.at(-1) ?? "") ? 8 : 0) +
    (valueAt(sample.object, path) === undefined ? 4 : 0) +
    (typeof value === "number" ? 0 : typeof value === "string" ? 1 : 2) +
    (label === "a value between" ? 0 : value === "" ? 0.7 : 0.5);
  const candidates = fieldValues(sample).filter(({ value }) => value !== null);
  for (const candidate of candidates.toSorted((a, b) => rank(a) - rank(b)))
    if (await accepts(sample, candidate)) return candidate;
  return undefined;
}

/** Returns the value of a field; `undefined` if it is not set. */
export function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], object);
}

/** Returns a patch that sets one field. */
export function nested(path: readonly string[], value: unknown): object {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}
