import { CelError } from "./issue.ts";
import type { CelMap, CelValue } from "./values.ts";

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
