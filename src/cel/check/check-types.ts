import { mapTypes, type CelType } from "../values/types.ts";

/** The bindings of type parameters while an expression is checked. */
export class Bindings {
  private readonly types = new Map<string, CelType>();
  private count = 0;

  /** Creates an unbound parameter. */
  fresh(): CelType {
    return { kind: "parameter", name: `_var${this.count++}` };
  }

  /** Replaces bound parameters; free ones become `freeAs` if it is given. */
  resolve(type: CelType, freeAs?: CelType): CelType {
    if (type.kind !== "parameter") return mapTypes(type, (inner) => this.resolve(inner, freeAs));
    const bound = this.types.get(type.name);
    return bound ? this.resolve(bound, freeAs) : (freeAs ?? type);
  }

  /** Reports whether all types fit; if so, their parameters are bound, otherwise nothing changes. */
  assignAll(actual: readonly CelType[], declared: readonly CelType[]): boolean {
    const before = new Map(this.types);
    if (actual.length === declared.length && actual.every((type, index) => this.assign(type, declared[index]!)))
      return true;
    this.types.clear();
    for (const [name, type] of before) this.types.set(name, type);
    return false;
  }

  private assign(from: CelType, to: CelType): boolean {
    const [actual, declared] = [this.follow(from), this.follow(to)];
    if (declared.kind === "parameter") return this.bind(declared.name, actual);
    if (actual.kind === "parameter") return this.bind(actual.name, declared);
    if (to.kind === "parameter") return this.assign(actual, declared) && this.widen(to.name, actual);
    if (isAny(actual) || isAny(declared)) return true;
    if (actual.kind === "null" || declared.kind === "null") return isNullable(actual) && isNullable(declared);
    if (actual.kind === "list" && declared.kind === "list") return this.assign(actual.element, declared.element);
    if (actual.kind === "optional" && declared.kind === "optional")
      return this.assign(actual.element, declared.element);
    if (actual.kind === "map" && declared.kind === "map")
      return this.assign(actual.key, declared.key) && this.assign(actual.value, declared.value);
    if (actual.kind === "object" && declared.kind === "object") return actual.name === declared.name;
    if (actual.kind === "opaque" && declared.kind === "opaque") return actual.name === declared.name;
    return actual.kind === declared.kind;
  }

  /** Binds a parameter anew if another type that it stands for is more general: dynamic, in whole or in part. */
  private widen(name: string, type: CelType): true {
    const bound = this.types.get(name)!;
    if (bound.kind === "parameter") return this.widen(bound.name, type);
    if (isAsGeneral(type, bound)) this.types.set(name, type);
    return true;
  }

  private follow(type: CelType): CelType {
    const bound = type.kind === "parameter" ? this.types.get(type.name) : undefined;
    return bound ? this.follow(bound) : type;
  }

  private bind(name: string, type: CelType): boolean {
    if (type.kind === "parameter" && type.name === name) return true;
    if (mentions(this.resolve(type), name)) return false;
    this.types.set(name, type);
    return true;
  }
}

/** Copies the types of a signature with fresh parameters. */
export function instantiate(types: readonly CelType[], bindings: Bindings): CelType[] {
  const own = new Map<string, CelType>();
  const rename = (type: CelType): CelType => {
    if (type.kind !== "parameter") return mapTypes(type, rename);
    const known = own.get(type.name) ?? bindings.fresh();
    own.set(type.name, known);
    return known;
  };
  return types.map(rename);
}

export function isAny(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

function isAsGeneral(a: CelType, b: CelType): boolean {
  if (a.kind === "dyn" || b.kind === "dyn") return a.kind === "dyn";
  if (a.kind === "list" && b.kind === "list") return isAsGeneral(a.element, b.element);
  if (a.kind === "map" && b.kind === "map") return isAsGeneral(a.key, b.key) && isAsGeneral(a.value, b.value);
  return false;
}

function isNullable(type: CelType): boolean {
  return ["null", "object", "opaque", "timestamp", "duration", "optional"].includes(type.kind);
}

function mentions(type: CelType, name: string): boolean {
  let found = type.kind === "parameter" && type.name === name;
  mapTypes(type, (inner) => {
    found ||= mentions(inner, name);
    return inner;
  });
  return found;
}
