import { cloneJson } from "../clone.ts";
import { equalJson } from "../equal.ts";
import { isObject } from "../is-object.ts";
import { ownField, setField } from "../set-field.ts";

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
 * end, `test` of a missing value against null succeeds, the part of a path before its first "/" is ignored, `copy` from
 * a missing path adds null, and `replace` of a missing field adds it. Returns a new document.
 */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  const root: Root = { document: cloneJson(document), copied: 0 };
  for (const operation of operations) applyOperation(root, operation);
  return root.document;
}

/** Returns the operations from `from` to `to`. Lists of different length are changed from their first difference on. */
export function createJsonPatch(from: unknown, to: unknown, path = ""): JsonPatchOperation[] {
  if (equalJson(from, to)) return [];
  if (isObject(from) && isObject(to)) return fieldOperations(from, to, path);
  if (Array.isArray(from) && Array.isArray(to)) return listOperations(from, to, path);
  return [{ op: "replace", path, value: to }];
}

const kinds = new Set(["add", "replace", "remove", "move", "copy", "test"]);

function applyOperation(root: Root, operation: Partial<JsonPatchOperation>): void {
  const { op = "unknown", path, value } = operation;
  if (!kinds.has(op)) throw new JsonPatchError(`Unexpected kind: ${op}`);
  if (typeof path !== "string") throw new JsonPatchError(`${op} operation failed to decode path: missing value`);
  switch (op) {
    case "add":
      return add(root, path, cloneJson(value));
    case "replace":
      return replace(root, path, cloneJson(value));
    case "remove":
      return remove(root, path);
    case "move": {
      const moved = read(root, operation.from ?? "");
      if (moved === undefined) throw new JsonPatchError(`move operation: ${operation.from} is missing`);
      remove(root, operation.from ?? "");
      return add(root, path, moved);
    }
    case "copy":
      return add(root, path, copy(root, read(root, operation.from ?? "") ?? null));
    case "test":
      if (!equalJson(read(root, path) ?? null, value ?? null))
        throw new JsonPatchError(`testing value ${path} failed: test failed`);
  }
}

/** Copies a value of the document. Counts its size before it is copied. */
function copy(root: Root, value: unknown): unknown {
  root.copied += Buffer.byteLength(JSON.stringify(value));
  if (root.copied <= mostCopied) return cloneJson(value);
  throw new JsonPatchError(
    `Unable to complete the copy, the accumulated size increase of copy is ${root.copied}, exceeding the limit ${mostCopied}`,
  );
}

function add(root: Root, path: string, value: unknown): void {
  const { parent, key } = locate(root, path, "add");
  if (!Array.isArray(parent)) return setField(parent, key, value);
  const index = key === "-" ? parent.length : indexIn(parent, key, parent.length);
  parent.splice(index, 0, value);
}

function replace(root: Root, path: string, value: unknown): void {
  if (path === "") {
    root.document = value;
    return;
  }
  const { parent, key } = locate(root, path, "replace");
  if (Array.isArray(parent)) parent[indexIn(parent, key, parent.length - 1)] = value;
  else setField(parent, key, value);
}

function remove(root: Root, path: string): void {
  const { parent, key } = locate(root, path, "remove");
  if (Array.isArray(parent)) {
    parent.splice(indexIn(parent, key, parent.length - 1), 1);
    return;
  }
  if (!Object.hasOwn(parent, key))
    throw new JsonPatchError(
      `error in remove for path: '${path}': Unable to remove nonexistent key: ${key}: missing value`,
    );
  delete parent[key];
}

function read(root: Root, path: string): unknown {
  let value: unknown = root.document;
  for (const key of keysOf(path)) {
    if (Array.isArray(value)) value = value[indexOrEnd(value, key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

function locate(root: Root, path: string, op: string): { parent: Container; key: string } {
  const keys = keysOf(path);
  const key = keys.pop() ?? "";
  const parent = read(root, keys.map((part) => `/${escapeKey(part)}`).join(""));
  if (!path.includes("/"))
    throw new JsonPatchError(`${op} operation does not apply: doc is missing path: ${path}: missing value`);
  if (typeof parent !== "object" || parent === null)
    throw new JsonPatchError(`${op} operation does not apply: doc is missing path: ${path}: missing value`);
  return { parent: parent as Container, key };
}

function indexIn(list: readonly unknown[], key: string, most: number): number {
  const index = indexOrEnd(list, key);
  if (!Number.isInteger(index) || index < 0 || index > most) throw new JsonPatchError(`index ${key} is out of bounds`);
  return index;
}

function indexOrEnd(list: readonly unknown[], key: string): number {
  const index = /^-?\d+$/.test(key) ? Number(key) : Number.NaN;
  return index < 0 ? list.length + index : index;
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

function keysOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
