import { cloneJson } from "../clone.ts";
import { equalJson } from "../equal.ts";
import { isTooDeep, mostLevels } from "../levels.ts";
import { isObject } from "../is-object.ts";
import { ownField, setField } from "../set-field.ts";
import type { TurnBudget } from "../turn-budget.ts";

/** An operation of a JSON Patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** An error for a patch that is invalid or does not fit the document. */
export class JsonPatchError extends Error {
  override readonly name: string = "JsonPatchError";
}

/** An error for a patch whose result is nested too deeply. */
export class JsonPatchLevelsError extends JsonPatchError {
  override readonly name: string = "JsonPatchLevelsError";
}

type Container = Record<string, unknown> | unknown[];

/** The most bytes that all copies of a patch may add, as in an API server: each copy could double the document. */
const mostCopied = 3 * 1024 * 1024;

interface Root {
  document: unknown;
  /** The bytes of all copies so far. */
  copied: number;
}

/**
 * Applies a JSON patch (RFC 6902) with the API server's deviations from the standard: a negative index counts from the
 * end, `test` of a missing field against null succeeds, the part of a path before its first "/" is ignored, `copy` from
 * a missing field adds null, as does `add` without a value, and `replace` of a missing field adds it. Returns a new
 * document.
 */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  const root: Root = { document: cloneJson(document), copied: 0 };
  for (const operation of operations) applyOperation(root, operation);
  return documentOf(root);
}

/** Applies a JSON patch as `applyJsonPatch` does; others go on between operations, as copies can be many and large. */
export async function applyLongJsonPatch(
  document: unknown,
  operations: readonly JsonPatchOperation[],
  turns: TurnBudget,
): Promise<unknown> {
  const root: Root = { document: cloneJson(document), copied: 0 };
  for (const operation of operations) {
    applyOperation(root, operation);
    await turns.rest();
  }
  return documentOf(root);
}

function documentOf({ document }: Root): unknown {
  if (isTooDeep(document)) throw tooDeep();
  return document;
}

/** Returns the operations from `from` to `to`. Lists of different length are changed from their first difference on. */
export function createJsonPatch(from: unknown, to: unknown, path = ""): JsonPatchOperation[] {
  if (equalJson(from, to)) return [];
  if (isObject(from) && isObject(to)) return fieldOperations(from, to, path);
  if (Array.isArray(from) && Array.isArray(to)) return listOperations(from, to, path);
  return [{ op: "replace", path, value: to }];
}

// Repeats the messages of Go's library: a server shows them if the patch of a webhook does not fit.

function applyOperation(root: Root, operation: Partial<JsonPatchOperation>): void {
  const { op = "unknown", value = null } = operation;
  switch (op) {
    case "add":
    case "remove": {
      const path = pathOf(operation);
      const place = locate(root, path, `${op} operation does not apply: doc is missing path: "${path}"`);
      return explained(`error in ${op} for path: '${path}'`, () =>
        op === "add" ? add(place, cloneJson(value)) : remove(place),
      );
    }
    case "replace":
      return replace(root, pathOf(operation), cloneJson(value));
    case "move": {
      const from = fromOf(operation);
      const source = locate(root, from, `move operation does not apply: doc is missing from path: ${from}`);
      const moved = explained(`error in move for path: '${source.key}'`, () => {
        const found = get(source);
        remove(source);
        return found;
      });
      const path = pathOf(operation);
      const target = locate(root, path, `move operation does not apply: doc is missing destination path: ${path}`);
      return explained(`error in move for path: '${path}'`, () => add(target, moved));
    }
    case "copy": {
      const from = fromOf(operation);
      const source = locate(root, from, `copy operation does not apply: doc is missing from path: ${from}`);
      const found = explained(`error in copy for from: '${from}'`, () => get(source));
      const path = pathOf(operation);
      const target = locate(root, path, `copy operation does not apply: doc is missing destination path: ${path}`);
      const copied = copy(root, found);
      return explained("error while adding value during copy", () => add(target, copied));
    }
    case "test":
      return test(root, pathOf(operation), value);
    default:
      throw new JsonPatchError(`Unexpected kind: ${op}`);
  }
}

function pathOf({ op, path }: Partial<JsonPatchOperation>): string {
  if (typeof path === "string") return path;
  const why = op === "replace" || op === "move" || op === "test" ? "operation missing path field: " : "";
  throw new JsonPatchError(`${op} operation failed to decode path: ${why}missing value`);
}

function fromOf({ op, from }: Partial<JsonPatchOperation>): string {
  if (typeof from === "string") return from;
  throw new JsonPatchError(`${op} operation failed to decode from: operation, missing from field: missing value`);
}

/** Copies a value of the document. Counts its size before it is copied. */
function copy(root: Root, value: unknown): unknown {
  if (value === null) return null;
  root.copied += sizeOf(value);
  if (root.copied <= mostCopied) return cloneJson(value);
  throw new JsonPatchError(
    `Unable to complete the copy, the accumulated size increase of copy is ${root.copied}, exceeding the limit ${mostCopied}`,
  );
}

function sizeOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch (error) {
    // The value is deeper than the stack.
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}

/** Each copy and each move of a value into the end of another one adds its levels. */
function tooDeep(): JsonPatchLevelsError {
  return new JsonPatchLevelsError(`the patch makes more than ${mostLevels} levels`);
}

function replace(root: Root, path: string, value: unknown): void {
  if (path === "") {
    if (typeof value !== "object" || value === null)
      throw new JsonPatchError("replace operation value must be object or array");
    root.document = value;
    return;
  }
  const { parent, key } = locate(root, path, `replace operation does not apply: doc is missing path: ${path}`);
  if (!Array.isArray(parent)) return setField(parent, key, value);
  if (indexIn(parent, key) === undefined)
    throw new JsonPatchError(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  parent[requireIndex(parent, key)] = value;
}

function test(root: Root, path: string, value: unknown): void {
  let found = root.document;
  if (path !== "") {
    const place = locate(root, path, `test operation does not apply: is missing path: ${path}`);
    found = explained(`error in test for path: '${path}'`, () => get(place));
  }
  if (!equalJson(found, value)) throw new JsonPatchError(`testing value ${path} failed: test failed`);
}

/** Where a path ends: a field or an item, which may be missing. */
interface Place {
  readonly parent: Container;
  readonly key: string;
}

/** Returns the place of a path; throws `missing` unless objects and lists lead to it. */
function locate(root: Root, path: string, missing: string): Place {
  const keys = keysOf(path);
  const key = keys.pop();
  let parent: unknown = root.document;
  for (const step of keys) {
    if (Array.isArray(parent)) parent = parent[indexIn(parent, step) ?? -1];
    else parent = isObject(parent) ? ownField(parent, step) : undefined;
  }
  if (key === undefined || typeof parent !== "object" || parent === null)
    throw new JsonPatchError(`${missing}: missing value`);
  return { parent: parent as Container, key };
}

/** Runs a change of a place; explains its error. */
function explained<T>(prefix: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    if (error instanceof JsonPatchError) throw new JsonPatchError(`${prefix}: ${error.message}`);
    throw error;
  }
}

/** Returns the value of a place; null for a missing field. */
function get({ parent, key }: Place): unknown {
  return (Array.isArray(parent) ? parent[requireIndex(parent, key)] : ownField(parent, key)) ?? null;
}

function add({ parent, key }: Place, value: unknown): void {
  if (!Array.isArray(parent)) return setField(parent, key, value);
  // A negative index counts from the end of the list with the new item.
  const length = parent.length + 1;
  if (key !== "-" && !integer.test(key))
    throw new JsonPatchError(`value was not a proper array index: '${key}': ${notAnInteger(key)}`);
  parent.splice(key === "-" ? parent.length : requireIndex({ length }, key), 0, value);
}

function remove({ parent, key }: Place): void {
  if (Array.isArray(parent)) parent.splice(requireIndex(parent, key), 1);
  else if (Object.hasOwn(parent, key)) delete parent[key];
  else throw new JsonPatchError(`Unable to remove nonexistent key: ${key}: missing value`);
}

const integer = /^[-+]?\d+$/;

function notAnInteger(key: string): string {
  return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
}

function requireIndex(list: { readonly length: number }, key: string): number {
  const index = indexIn(list, key);
  if (index !== undefined) return index;
  throw new JsonPatchError(
    integer.test(key) ? `Unable to access invalid index: ${Number(key)}: invalid index referenced` : notAnInteger(key),
  );
}

/** Returns the index of an item; `undefined` beyond the list. */
function indexIn({ length }: { readonly length: number }, key: string): number | undefined {
  if (!integer.test(key)) return undefined;
  const index = Number(key) < 0 ? length + Number(key) : Number(key);
  return index >= 0 && index < length ? index : undefined;
}

function fieldOperations(
  from: Record<string, unknown>,
  to: Record<string, unknown>,
  path: string,
): JsonPatchOperation[] {
  const at = (key: string) => `${path}/${escapeKey(key)}`;
  const present = (fields: Record<string, unknown>) =>
    Object.keys(fields)
      .filter((key) => fields[key] !== undefined)
      .toSorted();
  const gone = present(from).filter((key) => ownField(to, key) === undefined);
  return [
    ...gone.map((key) => ({ op: "remove", path: at(key) })),
    ...present(to).flatMap((key) =>
      ownField(from, key) === undefined
        ? [{ op: "add", path: at(key), value: to[key] }]
        : createJsonPatch(from[key], to[key], at(key)),
    ),
  ];
}

function listOperations(from: readonly unknown[], to: readonly unknown[], path: string): JsonPatchOperation[] {
  const shared = Math.min(from.length, to.length);
  const changed = to.slice(0, shared).flatMap((item, index) => createJsonPatch(from[index], item, `${path}/${index}`));
  const removed = from
    .slice(shared)
    .map((_, index, rest) => ({ op: "remove", path: `${path}/${shared + rest.length - 1 - index}` }));
  const added = to.slice(shared).map((value) => ({ op: "add", path: `${path}/-`, value }));
  return [...changed, ...removed, ...added];
}

/** Returns the keys of a JSON pointer. */
export function keysOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Escapes a key for a JSON pointer. */
export function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
