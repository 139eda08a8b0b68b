import type { Scope } from "../../../cel/evaluate/comprehend.ts";
import { runAdmission } from "../../../cel/admission/run-admission.ts";
import type { RunBudget } from "../../../cel/evaluate/run-budget.ts";
import {
  CelDuration,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelUint,
  isCelMap,
  showKey,
  type CelValue,
} from "../../../cel/values/values.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { applyJsonPatch, type JsonPatchOperation } from "../../../apimachinery/patch/json-patch.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
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

/** Refuses unknown fields, and parts that can only be replaced as a whole. */
function checkApplied(applied: unknown, typed: Typed): void {
  const unknown: string[] = [];
  const atomics: string[] = [];
  visit(applied, typed, "", (path, what) => (what === "unknown" ? unknown : atomics).push(path));
  if (unknown[0] !== undefined)
    throw new Error(
      `failed to convert patch object to typed object: ${unknown.map((path) => `${path}: field not declared in schema`).join("\n")}`,
    );
  if (atomics.length > 0)
    throw new Error(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`);
}

type Report = (path: string, what: "unknown" | "atomic") => void;

function visit(value: unknown, typed: Typed, path: string, report: Report): void {
  const node = typedNode(typed, value);
  if (node.kind === "map" && isObject(value)) {
    if (node.atomic) report(path, "atomic");
    for (const [name, child] of Object.entries(value)) {
      const type = node.type.field(name) ?? node.type.others;
      if (type) visit(child, type, `${path}.${name}`, report);
      else report(`${path}.${name}`, "unknown");
    }
  }
  if (node.kind === "list" && Array.isArray(value)) {
    if (node.join === "atomic") report(path, "atomic");
    value.forEach((item, index) => visit(item, node.items, `${path}[${index}]`, report));
  }
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
