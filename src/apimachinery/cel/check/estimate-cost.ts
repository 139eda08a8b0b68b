import type { CheckedExpression } from "./check.ts";
import { callCost } from "./call-cost.ts";
import {
  listCost,
  loopCosts,
  mapCost,
  structCost,
  addCost,
  fixedSize,
  multiplyCost,
  uniteSizes,
  unknownSize,
  type SizeRange,
  type PartCost,
} from "./sized-cost.ts";
import {
  type Binding,
  type Call,
  type Comprehension,
  type Expression,
  type Identifier,
  type ListLiteral,
  type Literal,
  type MapLiteral,
  type OptionalMapping,
  type Select,
  type StructLiteral,
  visitExpression,
  type ExpressionVisitor,
} from "../syntax/expression.ts";
import type { CelType } from "../values/types.ts";

type Scope = ReadonlyMap<string, PartCost>;

/**
 * Estimates the maximum cost of an expression in the API server's units: one per step, more if it depends on the size
 * of the input.
 */
export function estimateCost(checked: CheckedExpression, variables: Readonly<Record<string, CelType>>): number {
  return new Estimator(checked, variables).visit(checked.expression, new Map()).cost;
}

class Estimator implements ExpressionVisitor<PartCost, Scope> {
  private readonly checked: CheckedExpression;
  private readonly variables: Readonly<Record<string, CelType>>;
  private readonly root: CelType | undefined;

  constructor(checked: CheckedExpression, variables: Readonly<Record<string, CelType>>) {
    this.checked = checked;
    this.variables = variables;
    this.root = variables["self"];
  }

  visit(expression: Expression, scope: Scope): PartCost {
    return visitExpression(this, expression, scope);
  }

  literal(expression: Literal): PartCost {
    return this.part(expression, 0, { size: sizeOfLiteral(expression.value) });
  }

  identifier(expression: Identifier, scope: Scope): PartCost {
    const known = scope.get(expression.name);
    return known ? { ...known, cost: 1, expression } : this.named(expression);
  }

  struct(expression: StructLiteral, scope: Scope): PartCost {
    const costs = expression.fields.map(({ value }) => this.visit(value, scope).cost);
    return this.part(expression, addCost(structCost, ...costs), {});
  }

  binding(expression: Binding, scope: Scope): PartCost {
    const value = this.visit(expression.value, scope);
    const body = this.visit(expression.body, new Map(scope).set(expression.name, value));
    return { ...body, cost: addCost(listCost, value.cost, body.cost), expression };
  }

  private part(expression: Expression, cost: number, known: Partial<PartCost>): PartCost {
    const type = this.checked.types.get(expression) ?? { kind: "dyn" };
    const size = known.size ?? sizeAt(known.path) ?? (isScalar(type) ? fixedSize(1) : undefined);
    return { type, expression, entries: known.entries, path: known.path, cost, size };
  }

  /** Returns the cost of a variable or type name. The API server assumes that it has the size of `self`. */
  private named(expression: Identifier | Select): PartCost {
    const name = expression.kind === "identifier" ? expression.name : "self";
    return this.part(expression, 1, { path: { type: this.variables[name] ?? this.root } });
  }

  select(expression: Select, scope: Scope): PartCost {
    if (!this.checked.types.has(expression.operand)) return this.named(expression);
    const operand = this.visit(expression.operand, scope);
    if (expression.mode === "test") return this.part(expression, operand.cost, {});
    if (expression.mode === "optional") return this.part(expression, operand.cost + 1, {});
    const isCounted = ["map", "object", "parameter"].includes(operand.type.kind);
    const path = this.step(operand, (type) => childOf(type, expression.field));
    return this.part(expression, addCost(operand.cost, isCounted ? 1 : 0), { path });
  }

  call(expression: Call, scope: Scope): PartCost {
    const { name, args, overloads } = this.checked.calls.get(expression)!;
    const parts = args.map((argument) => this.visit(argument, scope));
    const [first, second] = parts;
    if (name === "_[_]") {
      const path = this.step(first!, (type) => childOf(type));
      return this.part(expression, addCost(first!.cost, second!.cost, 1), { path, size: first?.entries?.value });
    }
    if (name === "dyn") return this.part(expression, addCost(first!.cost, 1), { ...first, size: first!.size });
    const { cost, size, entries } = callCost(name, overloads, parts);
    return this.part(expression, cost, { size, entries });
  }

  list(expression: ListLiteral, scope: Scope): PartCost {
    const items = expression.items.map(({ value }) => this.visit(value, scope));
    const value = unite(items.map(({ size }) => size));
    return this.part(expression, addCost(listCost, ...items.map(({ cost }) => cost)), {
      size: fixedSize(items.length),
      entries: { key: fixedSize(1), value },
    });
  }

  map(expression: MapLiteral, scope: Scope): PartCost {
    const keys = expression.entries.map(({ key }) => this.visit(key, scope));
    const values = expression.entries.map(({ value }) => this.visit(value, scope));
    return this.part(expression, addCost(mapCost, ...[...keys, ...values].map(({ cost }) => cost)), {
      size: fixedSize(keys.length),
      entries: { key: unite(keys.map(({ size }) => size)), value: unite(values.map(({ size }) => size)) },
    });
  }

  /** Returns the cost of the loop that cel-go makes of a macro, including the accesses to its accumulator. */
  comprehension(expression: Comprehension, scope: Scope): PartCost {
    const { macro, condition, transform } = expression;
    const range = this.visit(expression.range, scope);
    const inner = this.loopScope(expression, range, scope);
    const test = condition ? this.visit(condition, inner).cost : 0;
    const made = transform && this.visit(transform, inner);
    const item = inner.get(expression.second ?? expression.variable)!;
    const count = range.size ?? unknownSize;
    const { item: step, result } = loopCosts[macro];
    const loop = (created: number): number =>
      addCost(range.cost, created, result, multiplyCost(count.max, addCost(test, made?.cost ?? 0, step)));
    switch (macro) {
      case "all":
      case "exists":
      case "existsOne":
        return this.part(expression, loop(0), {});
      case "filter":
        return this.part(expression, loop(listCost), listOf(count, item.size));
      case "map":
      case "transformList":
        return this.part(expression, loop(listCost), listOf(count, made!.size));
      case "transformMap":
      case "transformMapEntry":
        return this.part(expression, loop(mapCost), { size: count });
      default:
        return macro satisfies never;
    }
  }

  private loopScope({ variable, second, range: expression }: Comprehension, range: PartCost, scope: Scope): Scope {
    const { type } = range;
    const isMap = type.kind === "map";
    const variableOf = (of: CelType, path: PartCost["path"], size: SizeRange | undefined): PartCost => ({
      cost: 1,
      type: of,
      path,
      size: sizeAt(path) ?? (isScalar(of) ? fixedSize(1) : size),
      expression,
    });
    const key = variableOf(
      isMap ? type.key : { kind: "int" },
      this.step(range, (declared) => (declared?.kind === "map" ? declared.key : undefined)),
      range.entries?.key,
    );
    const value = variableOf(
      isMap ? type.value : type.kind === "list" ? type.element : { kind: "dyn" },
      this.step(range, (declared) => childOf(declared)),
      range.entries?.value,
    );
    if (second === undefined) return new Map(scope).set(variable, isMap ? key : value);
    return new Map(scope).set(variable, key).set(second, value);
  }

  /** Returns the path of a part. A part without path leads to the root: an oddity of the API server. */
  private step(
    from: PartCost,
    toChild: (type: CelType | undefined) => CelType | undefined,
  ): { type: CelType | undefined } {
    return { type: from.path ? toChild(from.path.type) : this.root };
  }

  optionalMapping(expression: OptionalMapping, scope: Scope): PartCost {
    const target = this.visit(expression.target, scope);
    const type: CelType = target.type.kind === "optional" ? target.type.element : { kind: "dyn" };
    const bound: PartCost = { ...target, cost: 1, type, size: isScalar(type) ? fixedSize(1) : undefined };
    const made = this.visit(expression.transform, new Map(scope).set(expression.variable, bound));
    return this.part(
      expression,
      addCost(target.cost, 1, listCost, target.cost, 1, made.cost, expression.flat ? 0 : 1),
      {},
    );
  }
}

function listOf(size: SizeRange, item: SizeRange | undefined): Partial<PartCost> {
  return { size, entries: { key: fixedSize(1), value: item ?? unknownSize } };
}

/** Unites sizes; the size of nothing is 0. */
function unite(sizes: readonly (SizeRange | undefined)[]): SizeRange {
  return sizes.map((size) => size ?? unknownSize).reduce(uniteSizesOf, undefined) ?? fixedSize(0);
}

function uniteSizesOf(known: SizeRange | undefined, size: SizeRange): SizeRange {
  return known ? uniteSizes(known, size) : size;
}

function sizeOfLiteral(value: unknown): SizeRange | undefined {
  if (typeof value === "string") return fixedSize(Array.from(value).length);
  return value instanceof Uint8Array ? fixedSize(value.length) : undefined;
}

/** Returns the size that the schema allows; `undefined` for a value without a length. */
function sizeAt(path: PartCost["path"]): SizeRange | undefined {
  return path?.type && { min: 0, max: path.type.size ?? 0 };
}

function childOf(type: CelType | undefined, field = ""): CelType | undefined {
  if (type?.kind === "object") return type.fields.get(field)?.type;
  if (type?.kind === "map") return type.value;
  return type?.kind === "list" ? type.element : undefined;
}

function isScalar(type: CelType): boolean {
  if (type.kind === "optional") return isScalar(type.element);
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(type.kind);
}
