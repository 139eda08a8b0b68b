import { typeValues, type CheckedExpression } from "../check/check.ts";
import type {
  Binding,
  Call,
  Comprehension,
  Expression,
  Identifier,
  ListLiteral,
  Literal,
  MapLiteral,
  OptionalMapping,
  Select,
  StructLiteral,
} from "../syntax/expression.ts";
import { visitExpression, type ExpressionVisitor } from "../syntax/visit-expression.ts";
import { CelError } from "../values/issue.ts";
import { evaluateComprehension, isTrue, type Evaluate } from "./comprehend.ts";
import { CelLiteralMap, CelOpaque, CelOptional, isCelMap, isOfType, type CelValue } from "../values/values.ts";

/** Compiles a checked expression to a function. Errors during its evaluation are CelErrors. */
export function compileCel(checked: CheckedExpression): Evaluate {
  return new Compiler(checked).compile(checked.expression);
}

class Compiler implements ExpressionVisitor<Evaluate, undefined> {
  private readonly checked: CheckedExpression;

  constructor(checked: CheckedExpression) {
    this.checked = checked;
  }

  compile(expression: Expression): Evaluate {
    return visitExpression(this, expression, undefined);
  }

  literal({ value }: Literal): Evaluate {
    return () => value;
  }

  identifier({ name }: Identifier): Evaluate {
    return compileIdentifier(name);
  }

  binding({ name, value, body }: Binding): Evaluate {
    const [compiledValue, compiledBody] = [this.compile(value), this.compile(body)];
    return (scope) => compiledBody({ name, value: compiledValue(scope), outer: scope });
  }

  select(expression: Select): Evaluate {
    const { operand, field, mode } = expression;
    // The name of a type, or of a variable with a dot.
    if (!this.checked.types.has(operand)) return compileIdentifier(qualifiedName(expression));
    const read = this.compile(operand);
    return (scope) => {
      const value = read(scope);
      const inner = value instanceof CelOptional ? value.value : value;
      // null, whose type is only known at run time, has no field; testing it is no error.
      if (mode === "test" && inner === null) return false;
      const found = inner === undefined ? undefined : fieldOf(inner, field);
      if (mode === "test") return found !== undefined;
      if (mode === "optional" || value instanceof CelOptional)
        return found === undefined ? CelOptional.none : new CelOptional(found);
      if (found === undefined) throw new CelError(`no such key: ${field}`);
      return found;
    };
  }

  call(call: Call): Evaluate {
    const { name, args, overloads } = this.checked.calls.get(call)!;
    const parts = args.map((argument) => this.compile(argument));
    switch (name) {
      case "_&&_":
        return junction(parts, false);
      case "_||_":
        return junction(parts, true);
      case "_?_:_": {
        const [condition, yes, no] = parts as [Evaluate, Evaluate, Evaluate];
        return (scope) => (isTrue(condition(scope)) ? yes(scope) : no(scope));
      }
      case "orValue":
      case "or": {
        const [optional, other] = parts as [Evaluate, Evaluate];
        return (scope) => firstPresent(optional(scope), () => other(scope), name === "orValue");
      }
      default:
        return (scope) => {
          const values = parts.map((part) => part(scope));
          const fitting = overloads.find(({ parameters }) =>
            parameters.every((parameter, index) => isOfType(values[index]!, parameter)),
          );
          if (!fitting) throw new CelError("no such overload");
          return fitting.run(...(values as never[]));
        };
    }
  }

  list({ items }: ListLiteral): Evaluate {
    const parts = items.map(({ value, optional }) => ({ read: this.compile(value), optional }));
    return (scope) =>
      parts.flatMap(({ read, optional }) => {
        const value = read(scope);
        if (!optional) return [value];
        return value instanceof CelOptional && value.value !== undefined ? [value.value] : [];
      });
  }

  map({ entries }: MapLiteral): Evaluate {
    const parts = entries.map(({ key, value, optional }) => ({
      key: this.compile(key),
      value: this.compile(value),
      optional,
    }));
    return (scope) => {
      const map = new CelLiteralMap();
      for (const { key, value, optional } of parts) {
        const [name, read] = [key(scope), value(scope)];
        const entry = optional ? (read instanceof CelOptional ? read.value : undefined) : read;
        if (entry !== undefined) map.add(name, entry);
      }
      return map;
    };
  }

  struct({ name, fields }: StructLiteral): Evaluate {
    const parts = fields.map((field) => ({ ...field, read: this.compile(field.value) }));
    return (scope) => {
      const content = new Map<string, CelValue>();
      for (const part of parts) {
        const value = part.read(scope);
        const given = part.optional ? (value instanceof CelOptional ? value.value : undefined) : value;
        if (given !== undefined) content.set(part.name, given);
      }
      return new CelOpaque(name, "", content);
    };
  }

  comprehension(expression: Comprehension): Evaluate {
    const { macro, variable, second, condition, transform } = expression;
    const range = this.compile(expression.range);
    const compiled = {
      macro,
      variable,
      second,
      condition: condition && this.compile(condition),
      transform: transform && this.compile(transform),
    };
    return (scope) => evaluateComprehension(compiled, range(scope), scope);
  }

  optionalMapping({ target, variable, transform, flat }: OptionalMapping): Evaluate {
    const [read, map] = [this.compile(target), this.compile(transform)];
    return (scope) => {
      const optional = read(scope);
      if (!(optional instanceof CelOptional)) throw new CelError("no such overload");
      if (optional.value === undefined) return CelOptional.none;
      const result = map({ name: variable, value: optional.value, outer: scope });
      return flat ? result : new CelOptional(result);
    };
  }
}

function compileIdentifier(name: string): Evaluate {
  const type = typeValues.get(name);
  return (scope) => {
    for (let at = scope; at; at = at.outer) if (at.name === name) return at.value;
    if (type) return type;
    throw new CelError(`no such attribute(s): ${name}`);
  };
}

function qualifiedName(expression: Expression): string {
  if (expression.kind === "identifier") return expression.name;
  return expression.kind === "select" ? `${qualifiedName(expression.operand)}.${expression.field}` : "";
}

function fieldOf(value: CelValue, field: string): CelValue | undefined {
  if (isCelMap(value)) return value.get(field);
  // A value other than an object has no fields.
  if (typeof value !== "object" || value === null) return undefined;
  throw new CelError("no such overload");
}

/** Compiles `&&` or `||`: a deciding operand wins over an error in the other one. */
function junction(parts: readonly Evaluate[], decisive: boolean): Evaluate {
  return (scope) => {
    let failed: unknown;
    for (const part of parts) {
      try {
        if (isTrue(part(scope)) === decisive) return decisive;
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        failed ??= error;
      }
    }
    if (failed !== undefined) throw failed as CelError;
    return !decisive;
  };
}

function firstPresent(optional: CelValue, other: () => CelValue, isValue: boolean): CelValue {
  if (!(optional instanceof CelOptional)) throw new CelError("no such overload");
  if (optional.value === undefined) return other();
  return isValue ? optional.value : optional;
}
