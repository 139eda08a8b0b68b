import { mapTypes, type CelType } from "../values/types.ts";

/** The bindings of type parameters while an expression is checked. */
export class Bindings {
  private readonly types = new Map<string, CelType>();
  /** What `assignAll` has changed so far, to be undone in reverse. */
  private readonly changed: (readonly [name: string, before: CelType | undefined])[] = [];
  private count = 0;

  /** Creates an unbound parameter. */
  fresh(): CelType {
    return { kind: "parameter", name: `_var${this.count++}` };
  }

  /** Replaces bound parameters; free ones become `freeAs` if it is given. */
  resolve(type: CelType, freeAs?: CelType): CelType {
    const known = this.follow(type);
    if (known.kind === "parameter") return freeAs ?? known;
    return mapTypes(known, (inner) => this.resolve(inner, freeAs));
  }

  /** Reports whether all types fit; if so, their parameters are bound, otherwise nothing changes. */
  assignAll(actual: readonly CelType[], declared: readonly CelType[]): boolean {
    this.changed.length = 0;
    if (actual.length === declared.length && actual.every((type, index) => this.assign(type, declared[index]!)))
      return true;
    for (const [name, before] of this.changed.toReversed()) {
      if (before) this.types.set(name, before);
      else this.types.delete(name);
    }
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

  /** Rebinds a parameter if another type that it stands for is more general: dynamic, in whole or in part. */
  private widen(name: string, type: CelType): true {
    const last = this.lastOf(name);
    if (isAsGeneral(type, this.types.get(last)!)) this.set(last, type);
    return true;
  }

  private follow(type: CelType): CelType {
    if (type.kind !== "parameter") return type;
    const name = this.lastOf(type.name);
    return this.types.get(name) ?? { kind: "parameter", name };
  }

  /** Returns the last of the parameters that are bound to one another, and binds those before to it: chains are long. */
  private lastOf(name: string): string {
    const before: string[] = [];
    let last = name;
    for (let bound = this.types.get(last); bound?.kind === "parameter"; bound = this.types.get(last)) {
      before.push(last);
      last = bound.name;
    }
    for (const each of before.slice(0, -1)) this.set(each, { kind: "parameter", name: last });
    return last;
  }

  private set(name: string, type: CelType): void {
    this.changed.push([name, this.types.get(name)]);
    this.types.set(name, type);
  }

  private bind(name: string, type: CelType): boolean {
    if (type.kind === "parameter" && type.name === name) return true;
    if (mentions(this.resolve(type), name)) return false;
    this.set(name, type);
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
