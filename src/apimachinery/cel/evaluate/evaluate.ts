import { typeValues, type CheckedExpression } from "../check/check.ts";
import { listCost, loopCosts, mapCost, structCost } from "../check/sized-cost.ts";
import { conversionNames } from "../functions/conversions.ts";
import {
  qualifiedName,
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
import { CelError } from "../values/issue.ts";
import type { Overload } from "../values/overload.ts";
import { CelLiteralMap, CelOpaque, CelOptional, isCelMap, type CelValue, type Outcome } from "../values/values.ts";
import {
  callPrice,
  compileCall,
  compileCondition,
  compileFirstPresent,
  compileIndex,
  compileJunction,
  errorOf,
} from "./compile-call.ts";
import { CostMeter, evaluateComprehension, noSuchOverload, type Evaluate } from "./comprehend.ts";

/** Compiles a checked expression to a function. */
export function compileCel(checked: CheckedExpression): Evaluate {
  return new Compiler(checked).compile(checked.expression);
}

/**
 * The cost of the variable that a chain of selections starts with. It is 0 for an index, a branch of a condition and a
 * test of presence: cel-go reads their variables without counting them.
 */
type Root = 0 | 1;

class Compiler implements ExpressionVisitor<Evaluate, Root> {
  private readonly checked: CheckedExpression;

  constructor(checked: CheckedExpression) {
    this.checked = checked;
  }

  compile(expression: Expression, root: Root = 1): Evaluate {
    const compiled = visitExpression(this, expression, root);
    if (!this.isConstant(expression)) return compiled;
    const value = compiled(undefined, new CostMeter());
    return () => value;
  }

  /** Reports whether cel-go evaluates a part in advance. */
  private isConstant(expression: Expression): boolean {
    const { kind } = expression;
    if (kind === "list") return expression.items.every(({ value }) => this.isConstant(value));
    if (kind === "map")
      return expression.entries.every(({ key, value }) => this.isConstant(key) && this.isConstant(value));
    if (kind !== "call") return kind === "literal";
    const { name, args } = this.checked.calls.get(expression)!;
    return conversionNames.has(name) && args.length === 1 && this.isConstant(args[0]!);
  }

  literal({ value }: Literal): Evaluate {
    return () => value;
  }

  identifier({ name }: Identifier, root: Root): Evaluate {
    return compileIdentifier(name, root);
  }

  binding({ name, value, body }: Binding): Evaluate {
    const [compiledValue, compiledBody] = [this.compile(value), this.compile(body)];
    return (scope, meter) => compiledBody({ name, value: compiledValue(scope, meter), outer: scope }, meter);
  }

  select(expression: Select, root: Root): Evaluate {
    const { operand, field, mode } = expression;
    // The name of a type, or of a variable with a dot.
    if (!this.checked.types.has(operand)) return compileIdentifier(qualifiedName(expression) ?? "", root);
    const read = this.operand(operand, mode === "test" ? 0 : root);
    return (scope, meter) => {
      const value = read(scope, meter);
      if (value instanceof CelError) return value;
      const isOptional = mode === "optional" || value instanceof CelOptional;
      const inner = value instanceof CelOptional ? value.value : value;
      if (inner === undefined) return mode === "test" ? false : CelOptional.none;
      if (!isOptional) meter.charge(1);
      // null, whose type is only known at run time, has no fields. Testing one is allowed.
      const found = mode === "test" && inner === null ? undefined : fieldOf(inner, field);
      if (found instanceof CelError) return found;
      if (isOptional && (found !== undefined || mode === "test")) meter.charge(1);
      if (mode === "test") return found !== undefined;
      if (isOptional) return found === undefined ? CelOptional.none : new CelOptional(found);
      return found === undefined ? new CelError(`no such key: ${field}`) : found;
    };
  }

  /** Compiles what a selection or an index is applied to. Anything but a variable or selection costs as much as one. */
  private operand(expression: Expression, root: Root): Evaluate {
    const compiled = this.compile(expression, root);
    if (root === 0 || this.isAttribute(expression)) return compiled;
    return (scope, meter) => {
      meter.charge(root);
      return compiled(scope, meter);
    };
  }

  private isAttribute(expression: Expression): boolean {
    if (expression.kind === "identifier" || expression.kind === "select") return true;
    return expression.kind === "call" && ["_[_]", "_[?_]", "_?_:_"].includes(expression.name);
  }

  call(call: Call, root: Root): Evaluate {
    const { name, args, overloads } = this.checked.calls.get(call)!;
    const [first, second] = args;
    switch (name) {
      case "_[_]":
      case "_[?_]":
        return compileIndex(this.operand(first!, root), this.compile(second!, 0), call, overloads);
      case "_?_:_":
        return compileCondition(this.compile(first!), this.compile(second!, 0), this.compile(args[2]!, 0));
      case "_&&_":
        return compileJunction(this.compile(first!), this.compile(second!), false);
      case "_||_":
        return compileJunction(this.compile(first!), this.compile(second!), true);
      case "orValue":
      case "or":
        return compileFirstPresent(this.compile(first!), this.compile(second!), name === "orValue");
      case "@in":
        if (second!.kind === "list" && second.items.length === 0) return () => false;
        return compileCall([this.compile(first!), this.compile(second!)], overloads, {
          price: this.isSet(second!) ? 0 : callPrice(name, overloads),
        });
      default: {
        const endsEarly = args.length > 2 || this.hasGeneralForm(name, second, overloads);
        const parts = args.map((argument) => this.compile(argument));
        return compileCall(parts, overloads, { price: callPrice(name, overloads), endsEarly });
      }
    }
  }

  /** Reports whether a call of two arguments ends like one of more: with the first argument that is an error. */
  private hasGeneralForm(name: string, second: Expression | undefined, overloads: readonly Overload[]): boolean {
    if (name === "format") return true;
    if (["matches", "find", "findAll"].includes(name)) return this.isConstant(second!);
    // The form is known with the values only; an operator needs none.
    return overloads.length > 1 && /^[a-z]/i.test(name);
  }

  /** Reports whether cel-go searches a list as a set: one of known scalars. */
  private isSet(expression: Expression): boolean {
    if (expression.kind !== "list" || !this.isConstant(expression)) return false;
    const kinds = ["bool", "double", "int", "string", "uint"];
    return expression.items.every(({ value }) => kinds.includes(this.checked.types.get(value)!.kind));
  }

  list({ items }: ListLiteral): Evaluate {
    const parts = items.map(({ value, optional }) => ({ read: this.compile(value), optional }));
    return (scope, meter) => {
      meter.charge(listCost);
      const list: CelValue[] = [];
      for (const { read, optional } of parts) {
        const value = present(read(scope, meter), optional);
        if (value instanceof CelError) return value;
        if (value !== undefined) list.push(value);
      }
      return list;
    };
  }

  map({ entries }: MapLiteral): Evaluate {
    const parts = entries.map(({ key, value, optional }) => ({
      key: this.compile(key),
      value: this.compile(value),
      optional,
    }));
    return (scope, meter) => {
      meter.charge(mapCost);
      const map = new CelLiteralMap();
      for (const { key, value, optional } of parts) {
        const name = key(scope, meter);
        if (name instanceof CelError) return name;
        const entry = present(value(scope, meter), optional);
        if (entry instanceof CelError) return entry;
        if (entry !== undefined) map.add(name, entry);
      }
      return map;
    };
  }

  struct({ name, fields }: StructLiteral): Evaluate {
    const parts = fields.map((field) => ({ ...field, read: this.compile(field.value) }));
    return (scope, meter) => {
      meter.charge(structCost);
      const content = new Map<string, CelValue>();
      for (const { name: field, read, optional } of parts) {
        const value = present(read(scope, meter), optional);
        if (value instanceof CelError) return value;
        if (value !== undefined) content.set(field, value);
      }
      return new CelOpaque(name, "", content);
    };
  }

  comprehension(expression: Comprehension): Evaluate {
    const { macro, variable, second, condition: test, transform } = expression;
    const range = this.compile(expression.range);
    const { item, result } = loopCosts[macro];
    // cel-go makes the list that each item adds in advance if its content is known.
    const isKnown = (macro === "map" || macro === "transformList") && this.isConstant(transform!);
    const compiled = {
      macro,
      variable,
      second,
      costs: { item: isKnown ? item - listCost : item, result },
      condition: test && this.compile(test),
      transform: transform && this.compile(transform),
    };
    return (scope, meter) => evaluateComprehension(compiled, range(scope, meter), scope, meter);
  }

  /** Compiles what cel-go expands to: a call of `hasValue`, and a second evaluation of the target with its first use. */
  optionalMapping({ target, variable, transform, flat }: OptionalMapping): Evaluate {
    const [read, map] = [this.compile(target), this.compile(transform)];
    return (scope, meter) => {
      const optional = read(scope, meter);
      meter.charge(1);
      if (optional instanceof CelError) return optional;
      if (!(optional instanceof CelOptional)) return noSuchOverload();
      const { value } = optional;
      if (value === undefined || !flat) meter.charge(1);
      if (value === undefined) return CelOptional.none;
      let isUsed = false;
      const bound = {
        name: variable,
        outer: scope,
        get value() {
          if (isUsed) return value;
          isUsed = true;
          read(scope, meter);
          meter.charge(1);
          return value;
        },
      };
      const result = map(bound, meter);
      return flat || result instanceof CelError ? result : new CelOptional(result);
    };
  }
}

function compileIdentifier(name: string, root: Root): Evaluate {
  const type = typeValues.get(name);
  return (scope, meter) => {
    for (let at = scope; at; at = at.outer)
      if (at.name === name) {
        meter.charge(root);
        return at.value;
      }
    return type ?? new CelError(`no such attribute(s): ${name}`);
  };
}

function fieldOf(value: CelValue, field: string): Outcome | undefined {
  // A value other than an object has no fields.
  if (typeof value !== "object" || value === null) return undefined;
  if (!isCelMap(value)) return noSuchOverload();
  try {
    return value.get(field);
  } catch (error) {
    return errorOf(error);
  }
}

/** Returns the value of an item or entry; `undefined` if it is optional and absent. */
function present(value: Outcome, optional: boolean): Outcome | undefined {
  if (!optional || value instanceof CelError) return value;
  return value instanceof CelOptional ? value.value : undefined;
}
