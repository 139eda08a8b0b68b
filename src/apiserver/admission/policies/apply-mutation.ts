import type { Scope } from "../../../apimachinery/cel/evaluate/comprehend.ts";
import { runAdmission } from "../../../apimachinery/cel/admission/run-admission.ts";
import type { RunBudget } from "../../../apimachinery/cel/evaluate/run-budget.ts";
import {
  CelDuration,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelUint,
  isCelMap,
  showKey,
  type CelValue,
} from "../../../apimachinery/cel/values/values.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { applyJsonPatch, type JsonPatchOperation } from "../../../apimachinery/patch/json-patch.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { typeProblems } from "../../ssa/check-applied.ts";
import { mergeObjects } from "../../ssa/merge-objects.ts";
import { typedNode, typedObject, type Typed } from "../../ssa/typed-node.ts";
import type { AdmissionAttributes } from "../admission-attributes.ts";
import type { CompiledMutation } from "./policy-program.ts";

/** Applies one mutation to the object of a write. Throws an Error that names the problem. */
export function applyMutation(
  { object, resource }: Pick<AdmissionAttributes, "resource"> & { readonly object: UnstructuredObject },
  mutation: CompiledMutation,
  scope: Scope | undefined,
  budget: RunBudget,
): UnstructuredObject {
  const { patchType } = mutation;
  const value = runAdmission(mutation, scope, budget);
  if (patchType === "JSONPatch") return applyPatch(object, value);
  checkNames(value, "Object");
  const { apiVersion, kind } = object;
  const applied = { ...(jsonOf(value) as object), apiVersion, kind };
  const typed = typedObject(resource.schema());
  try {
    checkApplied(applied, typed);
    return mergeObjects(object, applied, typed) as UnstructuredObject;
  } catch (error) {
    throw new Error(`error applying patch: ${messageOf(error)}`, { cause: error });
  }
}

function applyPatch(object: UnstructuredObject, value: CelValue): UnstructuredObject {
  const operations = (value as readonly CelOpaque[]).map(({ content }) => {
    const fields = content as ReadonlyMap<string, CelValue>;
    const result = fields.get("value");
    if (result instanceof CelOpaque) checkNames(result, result.typeName);
    return Object.fromEntries([...fields].map(([name, each]) => [name, jsonOf(each)]));
  });
  try {
    return applyJsonPatch(object, operations as unknown as JsonPatchOperation[]) as UnstructuredObject;
  } catch (error) {
    // A failing `test` operation leaves the object unchanged.
    if (operations.some(({ op }) => op === "test") && /test/i.test(messageOf(error))) return object;
    throw new Error(`JSON Patch: ${messageOf(error)}`, { cause: error });
  }
}

/** Checks that each object's type name is its path: `Object.spec` is the type of the object at `spec`. */
function checkNames(value: CelValue | undefined, path: string): void {
  if (Array.isArray(value)) for (const item of value as readonly CelValue[]) checkNames(item, path);
  if (!(value instanceof CelOpaque)) return;
  if (value.typeName !== path)
    throw new Error(
      `type mismatch: unexpected type name ${JSON.stringify(value.typeName)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
    );
  for (const [name, child] of value.content as ReadonlyMap<string, CelValue>) checkNames(child, `${path}.${name}`);
}

/** Refuses what does not match the schema, and parts that can only be replaced as a whole. */
function checkApplied(applied: unknown, typed: Typed): void {
  const problems = typeProblems(applied, typed);
  if (problems.length > 0) throw new Error(`failed to convert patch object to typed object: ${problems.join("\n")}`);
  const atomics = atomicsIn(applied, typed, "");
  if (atomics.length > 0)
    throw new Error(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`);
}

/** Returns the paths of the parts that are replaced as a whole. */
function atomicsIn(value: unknown, typed: Typed, path: string): string[] {
  const node = typedNode(typed, value);
  if (node.kind === "map" && isObject(value)) {
    const within = Object.entries(value).flatMap(([name, child]) =>
      atomicsIn(child, node.type.field(name) ?? node.type.others!, `${path}.${name}`),
    );
    return node.atomic ? [path, ...within] : within;
  }
  if (node.kind !== "list" || !Array.isArray(value)) return [];
  const within = value.flatMap((item, index) => atomicsIn(item, node.items, `${path}[${index}]`));
  return node.join === "atomic" ? [path, ...within] : within;
}

/** Converts the value of an expression to JSON. */
function jsonOf(value: CelValue): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value !== "object") return value;
  if (value instanceof CelOpaque && value.content instanceof Map)
    return Object.fromEntries(
      [...(value.content as ReadonlyMap<string, CelValue>)].map(([name, child]) => [name, jsonOf(child)]),
    );
  if (Array.isArray(value)) return (value as readonly CelValue[]).map(jsonOf);
  if (isCelMap(value))
    return Object.fromEntries(value.keys().map((key) => [showKey(key), jsonOf(value.get(key) ?? null)]));
  if (value instanceof CelOptional) return value.value === undefined ? null : jsonOf(value.value);
  if (value instanceof CelUint) return Number(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof CelTimestamp) return new Date(Number(value.nanos / 1_000_000n)).toISOString();
  if (value instanceof CelDuration) return `${Number(value.nanos) / 1e9}s`;
  throw new Error("a value that is no JSON");
}
