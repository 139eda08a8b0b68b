import { CelError } from "./issue.ts";
import type { CelType } from "./types.ts";

/**
 * A value of an evaluation. int is bigint, double is number; lists are arrays; types without an equivalent in
 * JavaScript are the classes below.
 */
export type CelValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | Uint8Array
  | readonly CelValue[]
  | CelUint
  | CelTimestamp
  | CelDuration
  | CelMap
  | CelOptional
  | CelTypeValue
  | CelOpaque;

/** The result of a part of an expression: a value, or the error in its place. */
export type Outcome = CelValue | CelError;

export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** Nanoseconds since 1970. */
export class CelTimestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A span of time in nanoseconds. */
export class CelDuration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class CelOptional {
  static readonly none: CelOptional = new CelOptional(undefined);
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** The result of `type(x)`. */
export class CelTypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a Kubernetes library, such as a quantity or a URL. Values with the same key are equal. */
export class CelOpaque {
  readonly typeName: string;
  readonly key: string;
  readonly content: unknown;

  constructor(typeName: string, key: string, content: unknown) {
    this.typeName = typeName;
    this.key = key;
    this.content = content;
  }
}

/** A map or an object; both are accessed by key. */
export interface CelMap {
  readonly isMap: true;
  readonly size: number;
  get(key: CelValue): CelValue | undefined;
  keys(): readonly CelValue[];
}

export function isCelMap(value: CelValue): value is CelMap {
  return typeof value === "object" && value !== null && "isMap" in value;
}

/** A map created by an expression; its keys are bool, int, uint or string. */
export class CelLiteralMap implements CelMap {
  readonly isMap = true as const;
  private readonly entries = new Map<string, { key: CelValue; value: CelValue }>();

  get size(): number {
    return this.entries.size;
  }

  get(key: CelValue): CelValue | undefined {
    return this.entries.get(keyText(key))?.value;
  }

  add(key: CelValue, value: CelValue): void {
    this.entries.set(keyText(key), { key, value });
  }

  keys(): CelValue[] {
    return [...this.entries.values()].map(({ key }) => key);
  }
}

/** Returns the identity of a key: equal numbers of all types are one key. */
function keyText(key: CelValue): string {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "boolean") return `b${key}`;
  if (key instanceof CelUint) return `n${key.value}`;
  return typeof key === "bigint" || typeof key === "number" ? `n${key}` : "";
}

/** Formats a key for messages. */
export function showKey(key: CelValue): string {
  return keyText(key).slice(1);
}

/** The list type in the schema, attached to lists that compare and add as sets or maps. */
export const listSemantics: unique symbol = Symbol("list semantics");

export interface ListSemantics {
  readonly type: "set" | "map";
  readonly keys: readonly string[];
}

export function semanticsOf(list: readonly CelValue[]): ListSemantics | undefined {
  return (list as { [listSemantics]?: ListSemantics })[listSemantics];
}

/** Returns the name that `type(x)` shows. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return "null_type";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "double";
  return typeof value === "bigint" ? "int" : objectTypeName(value);
}

function objectTypeName(value: Exclude<CelValue, null | boolean | string | number | bigint>): string {
  if (Array.isArray(value)) return "list";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof CelUint) return "uint";
  if (value instanceof CelTimestamp) return "google.protobuf.Timestamp";
  if (value instanceof CelDuration) return "google.protobuf.Duration";
  if (value instanceof CelOptional) return "optional_type";
  if (value instanceof CelTypeValue) return "type";
  if (value instanceof CelOpaque) return value.typeName;
  return "map";
}

const primitives: Readonly<Partial<Record<CelType["kind"], string>>> = {
  string: "string",
  int: "bigint",
  bool: "boolean",
  double: "number",
};

/** Reports whether a value has a declared type; `dyn` and type parameters accept all. */
export function isOfType(value: CelValue, type: CelType): boolean {
  const { kind } = type;
  if (kind === "dyn" || kind === "parameter" || kind === "error") return true;
  const primitive = primitives[kind];
  if (primitive !== undefined) return typeof value === primitive;
  if (kind === "opaque") return value instanceof CelOpaque && value.typeName === type.name;
  if (kind === "list") return Array.isArray(value) && areOfType(value as readonly CelValue[], type.element);
  return kindOf(value) === (kind === "object" ? "map" : kind);
}

function areOfType(list: readonly CelValue[], type: CelType): boolean {
  const isAny = type.kind === "dyn" || type.kind === "parameter";
  return isAny || list.every((item) => isOfType(item, type));
}

const kinds: Readonly<Record<string, CelType["kind"]>> = {
  null_type: "null",
  optional_type: "optional",
  "google.protobuf.Timestamp": "timestamp",
  "google.protobuf.Duration": "duration",
};

function kindOf(value: CelValue): string {
  const name = typeNameOf(value);
  return kinds[name] ?? name;
}

/** Converts JSON without a schema: whole numbers are integers. Objects are read lazily. */
export function dynamicValue(json: unknown): CelValue {
  if (json === undefined || json === null) return null;
  if (Array.isArray(json)) return json.map(dynamicValue);
  if (typeof json === "object") return new DynamicMap(json as Readonly<Record<string, unknown>>);
  if (typeof json === "number") return Number.isInteger(json) ? BigInt(json) : json;
  return json as string | boolean;
}

/** Creates a map whose values are computed on demand. */
export function lazyMap(entries: ReadonlyMap<string, () => CelValue>): CelMap {
  const known = new Map<string, CelValue>();
  return {
    isMap: true,
    size: entries.size,
    keys: () => [...entries.keys()],
    get(key) {
      const compute = typeof key === "string" ? entries.get(key) : undefined;
      if (!compute || typeof key !== "string") return undefined;
      const value = known.get(key) ?? compute();
      known.set(key, value);
      return value;
    },
  };
}

class DynamicMap implements CelMap {
  readonly isMap = true as const;
  private readonly json: Readonly<Record<string, unknown>>;

  constructor(json: Readonly<Record<string, unknown>>) {
    this.json = json;
  }

  get size(): number {
    return this.keys().length;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") throw new CelError("no such overload");
    return Object.hasOwn(this.json, key) && this.json[key] !== undefined ? dynamicValue(this.json[key]) : undefined;
  }

  keys(): string[] {
    return Object.keys(this.json).filter((key) => this.json[key] !== undefined);
  }
}
