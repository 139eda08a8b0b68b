import { Bindings, instantiate, isAny } from "./check-types.ts";
import {
  type Binding,
  type Call,
  type Comprehension,
  type Expression,
  type ListLiteral,
  type Literal,
  type MapLiteral,
  type OptionalMapping,
  type Select,
  type StructLiteral,
  visitExpression,
  type ExpressionVisitor,
  qualifiedName,
} from "../syntax/expression.ts";
import { CelIssue } from "../values/issue.ts";
import type { FunctionTable, Overload } from "../values/overload.ts";
import { boolType, dynType, errorType, formatType, intType, type CelType } from "../values/types.ts";
import { CelTypeValue, typeNameOf } from "../values/values.ts";

/** The result of the checker: the type of each part, and the possible overloads of each call. */
export interface CheckedExpression {
  readonly expression: Expression;
  readonly types: ReadonlyMap<Expression, CelType>;
  readonly calls: ReadonlyMap<Call, ResolvedCall>;
  /** The variables that the expression uses. */
  readonly variables: ReadonlySet<string>;
}

interface ResolvedCall {
  /** The qualified name; a target that is part of the name is not an argument. */
  readonly name: string;
  readonly args: readonly Expression[];
  readonly overloads: readonly Overload[];
}

export interface Declarations {
  readonly functions: FunctionTable;
  readonly variables: Readonly<Record<string, CelType>>;
  /** True if the expression can create objects, as `Object{…}`. */
  readonly structs?: boolean;
}

/** Types as values: `type(x) == string`. */
export const typeValues: ReadonlyMap<string, CelTypeValue> = new Map(
  [
    "bool int uint double string bytes list map null_type type dyn",
    "google.protobuf.Timestamp google.protobuf.Duration optional_type",
    "kubernetes.URL kubernetes.Quantity kubernetes.NamedFormat kubernetes.Semver net.IP net.CIDR",
  ].flatMap((names) => names.split(" ").map((name) => [name, new CelTypeValue(name)] as const)),
);

/** Determines the types of all parts, or returns all errors in the order of the source. */
export function checkCel(expression: Expression, declarations: Declarations): CheckedExpression | CelIssue[] {
  const checker = new Checker(declarations);
  checker.check(expression, new Map(Object.entries(declarations.variables)));
  if (checker.issues.length > 0) return checker.issues.toSorted((a, b) => a.at - b.at);
  const types = new Map([...checker.types].map(([part, type]) => [part, checker.bindings.resolve(type, dynType)]));
  return { expression, types, calls: checker.calls, variables: checker.used };
}

type Scope = ReadonlyMap<string, CelType>;

class Checker implements ExpressionVisitor<CelType, Scope> {
  readonly issues: CelIssue[] = [];
  readonly types = new Map<Expression, CelType>();
  readonly calls = new Map<Call, ResolvedCall>();
  readonly used = new Set<string>();
  readonly bindings = new Bindings();
  private readonly declarations: Declarations;

  constructor(declarations: Declarations) {
    this.declarations = declarations;
  }

  check(expression: Expression, scope: Scope): CelType {
    const type = visitExpression(this, expression, scope);
    this.types.set(expression, type);
    return type;
  }

  literal({ value }: Literal): CelType {
    const name = typeNameOf(value);
    return { kind: name === "null_type" ? "null" : (name as "bool" | "int" | "uint" | "double" | "string" | "bytes") };
  }

  binding({ name, value, body }: Binding, scope: Scope): CelType {
    return this.check(body, new Map(scope).set(name, this.check(value, scope)));
  }

  identifier({ at, name }: { at: number; name: string }, scope: Scope): CelType {
    const type = scope.get(name);
    if (type) {
      if (this.declarations.variables[name] === type) this.used.add(name);
      return type;
    }
    if (typeValues.has(name)) return { kind: "type", of: dynType };
    return this.report(at, `undeclared reference to '${name}' (in container '')`);
  }

  select(expression: Select, scope: Scope): CelType {
    const { at, operand, field, mode } = expression;
    const qualified = qualifiedName(expression);
    if (qualified !== undefined && typeValues.has(qualified)) return { kind: "type", of: dynType };
    const type = this.bindings.resolve(this.check(operand, scope));
    const inner = type.kind === "optional" ? type.element : type;
    const found = this.fieldType(inner, field, at);
    if (mode === "test") return boolType;
    return mode === "optional" || type.kind === "optional" ? { kind: "optional", element: found } : found;
  }

  private fieldType(type: CelType, field: string, at: number): CelType {
    // A reserved word is escaped only where it is not selected.
    const found = type.kind === "object" ? (type.fields.get(field) ?? type.fields.get(`__${field}__`)) : undefined;
    if (type.kind === "object") return found?.type ?? this.report(at, `undefined field '${field}'`);
    if (type.kind === "map") return type.value;
    if (isAny(type) || type.kind === "parameter") return dynType;
    return this.report(at, `type '${formatType(type)}' does not support field selection`);
  }

  call(expression: Call, scope: Scope): CelType {
    const { at, name, target, args } = expression;
    if (name === "_&&_" || name === "_||_") return this.junction(expression, scope);
    const prefix = target && qualifiedName(target);
    const qualified = prefix === undefined ? undefined : `${prefix}.${name}`;
    if (qualified !== undefined && this.declarations.functions.has(qualified))
      return this.resolve(expression, { name: qualified, args, overloads: [] }, scope);
    if (!this.declarations.functions.has(name)) {
      if (target) this.check(target, scope);
      for (const argument of args) this.check(argument, scope);
      return this.report(at, `undeclared reference to '${name}' (in container '')`);
    }
    return this.resolve(expression, { name, args: target ? [target, ...args] : args, overloads: [] }, scope);
  }

  private junction(call: Call, scope: Scope): CelType {
    this.calls.set(call, { name: call.name, args: call.args, overloads: [] });
    for (const argument of call.args) this.expectBool(argument, this.check(argument, scope));
    return boolType;
  }

  private expectBool(expression: Expression, type: CelType): void {
    if (!this.bindings.assignAll([type], [boolType])) this.mismatch(expression.at, boolType, type);
  }

  private resolve(call: Call, { name, args }: ResolvedCall, scope: Scope): CelType {
    const types = args.map((argument) => this.check(argument, scope));
    const isMember = call.target !== undefined && args.length > call.args.length;
    const fitting: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of this.declarations.functions.get(name) ?? []) {
      if (overload.isMember !== isMember) continue;
      const [own, ...parameters] = instantiate([overload.result, ...overload.parameters], this.bindings);
      if (!this.bindings.assignAll(types, parameters)) continue;
      const type = this.bindings.resolve(own!);
      result = result === undefined || isSameType(result, type) ? type : dynType;
      fitting.push(overload);
    }
    this.calls.set(call, { name, args, overloads: fitting });
    return result ?? this.noOverload(call.at, name, types, isMember);
  }

  list({ items }: ListLiteral, scope: Scope): CelType {
    let element: CelType | undefined;
    for (const { value, optional } of items) {
      const type = this.check(value, scope);
      element = this.join(element, optional ? this.unwrap(type, value.at) : type);
    }
    return { kind: "list", element: element ?? this.bindings.fresh() };
  }

  map({ entries }: MapLiteral, scope: Scope): CelType {
    let [key, value]: (CelType | undefined)[] = [];
    for (const entry of entries) {
      key = this.join(key, this.check(entry.key, scope));
      const type = this.check(entry.value, scope);
      value = this.join(value, entry.optional ? this.unwrap(type, entry.value.at) : type);
    }
    return { kind: "map", key: key ?? this.bindings.fresh(), value: value ?? this.bindings.fresh() };
  }

  /** Checks a struct, whose fields can be anything. */
  struct({ at, name, fields }: StructLiteral, scope: Scope): CelType {
    for (const { value } of fields) this.check(value, scope);
    const isKnown = this.declarations.structs && (name === "Object" || name.startsWith("Object."));
    return isKnown ? { kind: "opaque", name } : this.report(at, `undeclared reference to '${name}' (in container '')`);
  }

  private join(known: CelType | undefined, type: CelType): CelType {
    if (known === undefined) return type;
    return this.bindings.assignAll([type], [known]) && !isAny(type) ? known : dynType;
  }

  private unwrap(type: CelType, at: number): CelType {
    const resolved = this.bindings.resolve(type);
    if (resolved.kind === "optional") return resolved.element;
    return isAny(resolved) ? dynType : this.mismatch(at, { kind: "optional", element: resolved }, resolved);
  }

  comprehension(expression: Comprehension, scope: Scope): CelType {
    const { at, macro, range, variable, second, condition, transform } = expression;
    const rangeType = this.bindings.resolve(this.check(range, scope));
    const [index, item] = this.rangeTypes(rangeType, range.at);
    const inner = new Map(scope);
    inner.set(variable, second === undefined && rangeType.kind !== "map" ? item : index);
    if (second !== undefined) inner.set(second, item);
    const conditionType = condition ? this.check(condition, inner) : boolType;
    const transformType = transform ? this.check(transform, inner) : inner.get(variable)!;
    if (condition && (macro === "all" || macro === "exists")) this.expectBool(condition, conditionType);
    else if (!this.bindings.assignAll([conditionType], [boolType])) {
      const result = macro === "existsOne" ? intType : listOf(transformType);
      return this.noOverload(at, "_?_:_", [conditionType, result, result], false);
    }
    if (macro === "all" || macro === "exists" || macro === "existsOne") return boolType;
    if (macro === "transformMap") return { kind: "map", key: index, value: transformType };
    return macro === "transformMapEntry" ? transformType : listOf(transformType);
  }

  private rangeTypes(type: CelType, at: number): [index: CelType, item: CelType] {
    if (type.kind === "list") return [intType, type.element];
    if (type.kind === "map") return [type.key, type.value];
    if (isAny(type) || type.kind === "parameter") return [dynType, dynType];
    const message = `expression of type '${formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    return [this.report(at, message), errorType];
  }

  optionalMapping(expression: OptionalMapping, scope: Scope): CelType {
    const { at, target, variable, transform, flat } = expression;
    const type = this.bindings.resolve(this.check(target, scope));
    if (type.kind !== "optional" && !isAny(type)) return this.noOverload(at, "hasValue", [type], true);
    const element = type.kind === "optional" ? type.element : dynType;
    const result = this.check(transform, new Map(scope).set(variable, element));
    return flat ? result : { kind: "optional", element: result };
  }

  private noOverload(at: number, name: string, types: readonly CelType[], isMember: boolean): CelType {
    const [first = "", ...rest] = types.map((type) => formatType(this.bindings.resolve(type)));
    const shown = isMember ? `${first}.(${rest.join(", ")})` : `(${[first, ...rest].join(", ")})`;
    return this.report(at, `found no matching overload for '${name}' applied to '${shown}'`);
  }

  private mismatch(at: number, expected: CelType, found: CelType): CelType {
    const [wanted, given] = [expected, found].map((type) => formatType(this.bindings.resolve(type)));
    return this.report(at, `expected type '${wanted}' but found '${given}'`);
  }

  private report(at: number, message: string): CelType {
    this.issues.push(new CelIssue(at, message));
    return errorType;
  }
}

function listOf(element: CelType): CelType {
  return { kind: "list", element };
}

function isSameType(a: CelType, b: CelType): boolean {
  return a === b || formatType(a) === formatType(b);
}
