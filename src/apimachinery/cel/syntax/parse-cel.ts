import {
  type Call,
  type Expression,
  type ListLiteral,
  type MapLiteral,
  type StructLiteral,
  qualifiedName,
} from "./expression.ts";
import { CelIssue, nowhere } from "../values/issue.ts";
import { expandMacro } from "./macros.ts";
import { tokenize, type Token } from "./tokenize.ts";

/** The limits of cel-go: for nesting, which protects the stack, and for characters. */
const deepest = 250;
const longest = 100_000;

/** Parses an expression and expands its macros. Throws a CelIssue. */
export function parseCel(source: string): Expression {
  const length = source.length > longest ? Array.from(source).length : 0;
  if (length > longest)
    throw new CelIssue(nowhere, `expression code point size exceeds limit: size: ${length}, limit ${longest}`);
  return new Parser(tokenize(source)).whole();
}

const reserved = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

/** The tokens that can start an expression, as cel-go's parser lists them. */
const anyExpression =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const relations: Readonly<Record<string, string>> = {
  "<": "_<_",
  "<=": "_<=_",
  ">": "_>_",
  ">=": "_>=_",
  "==": "_==_",
  "!=": "_!=_",
  in: "@in",
};

const levels: readonly Readonly<Record<string, string>>[] = [
  { "||": "_||_" },
  { "&&": "_&&_" },
  relations,
  { "+": "_+_", "-": "_-_" },
  { "*": "_*_", "/": "_/_", "%": "_%_" },
];

/** The levels of `||` and `&&`. */
const logicLevels = 2;

class Parser {
  private readonly tokens: readonly Token[];
  private position = 0;
  private depth = 0;
  /** The depth of each nested expression, as `nest` counts it. */
  private readonly depths = new Map<Expression, number>();

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  whole(): Expression {
    const expression = this.expression();
    if (this.peek().kind !== "end") throw this.unexpected("<EOF>");
    return expression;
  }

  private expression(): Expression {
    if (++this.depth > deepest) throw new CelIssue(nowhere, `expression recursion limit exceeded: ${deepest}`);
    const condition = this.binary(0);
    const { at } = this.peek();
    if (this.accept("?")) {
      const yes = this.binary(0);
      this.expect(":");
      const args = [condition, yes, this.expression()];
      this.depth--;
      return this.nest({ kind: "call", at, name: "_?_:_", args }, args, 1);
    }
    this.depth--;
    return condition;
  }

  private binary(level: number): Expression {
    const operators = levels[level];
    if (!operators) return this.unary();
    const first = this.binary(level + 1);
    if (level < logicLevels) return this.logic(level, first);
    let left = first;
    for (;;) {
      const operator = this.acceptOperator(operators);
      if (!operator) return left;
      const args = [left, this.binary(level + 1)];
      left = this.nest({ kind: "call", ...operator, args }, args, 1);
    }
  }

  private acceptOperator(operators: Readonly<Record<string, string>>): { at: number; name: string } | undefined {
    const { kind, text, at } = this.peek();
    const name = kind === "literal" || !Object.hasOwn(operators, text) ? undefined : operators[text];
    if (name === undefined) return undefined;
    this.position++;
    return { at, name };
  }

  /** Parses the other terms of `&&` or `||`, and balances the tree, which is not deep then, however long the chain is. */
  private logic(level: number, first: Expression): Expression {
    const terms = [first];
    const found: { at: number; name: string }[] = [];
    for (let operator; (operator = this.acceptOperator(levels[level]!)); found.push(operator))
      terms.push(this.binary(level + 1));
    const balance = (from: number, to: number): Expression => {
      if (from > to) return terms[from]!;
      const middle = (from + to + 1) >> 1;
      const args = [balance(from, middle - 1), balance(middle + 1, to)];
      return this.nest({ kind: "call", ...found[middle]!, args }, args, 0);
    };
    return balance(0, found.length - 1);
  }

  private unary(): Expression {
    const { kind, text, at } = this.peek();
    if (kind !== "symbol" || (text !== "!" && text !== "-")) return this.member(this.primary());
    let count = 0;
    for (; !this.isNegativeNumber() && this.accept(text); count++);
    const operand = this.member(this.primary());
    // Every two operators cancel each other.
    if (count % 2 === 0) return operand;
    return this.nest({ kind: "call", at, name: text === "!" ? "!_" : "-_", args: [operand] }, [operand], 0);
  }

  private isNegativeNumber(): boolean {
    const [sign, number] = this.tokens.slice(this.position, this.position + 2);
    return sign?.kind === "symbol" && sign.text === "-" && ["bigint", "number"].includes(typeof number?.value);
  }

  private member(first: Expression): Expression {
    let operand = first;
    for (;;) {
      const { at } = this.peek();
      const name = qualifiedName(operand);
      if (name !== undefined && this.accept("{")) operand = this.structLiteral(at, name);
      else if (this.accept(".")) operand = this.selection(operand, at);
      else if (this.accept("[")) {
        const optional = this.accept("?");
        const index = this.expression();
        this.expect("]");
        const args = [operand, index];
        operand = this.nest({ kind: "call", at, name: optional ? "_[?_]" : "_[_]", args }, args, 1);
      } else return operand;
    }
  }

  private selection(operand: Expression, at: number): Expression {
    const optional = this.accept("?");
    const name = this.fieldName();
    const field = name.replaceAll("`", "");
    const open = this.peek().at;
    if (optional || field !== name || !this.accept("("))
      return this.nest({ kind: "select", at, operand, field, mode: optional ? "optional" : "value" }, [operand], 1);
    const args = this.list(")");
    const call = expandMacro({ kind: "call", at: open, name: field, target: operand, args });
    return this.nest(call, [operand, ...args], 1);
  }

  private primary(): Expression {
    if (this.isNegativeNumber()) {
      const { at } = this.take();
      return { kind: "literal", at, value: -(this.take().value as bigint | number) };
    }
    const token = this.take();
    if (token.kind === "literal") return this.literal(token);
    if (token.kind === "identifier") return this.identifier(token);
    switch (token.text) {
      case "(": {
        const inner = this.expression();
        this.expect(")");
        return inner;
      }
      case "[":
        return this.listLiteral(token.at);
      case "{":
        return this.mapLiteral(token.at);
      case ".":
        if (this.peek().kind !== "identifier") throw this.unexpected("IDENTIFIER");
        return this.primary();
      default:
        throw this.unexpected(anyExpression, token);
    }
  }

  private literal({ at, value }: Token): Expression {
    if (value === 2n ** 63n) throw new CelIssue(at, "invalid int literal");
    return { kind: "literal", at, value: value ?? null };
  }

  private identifier({ at, text }: Token): Expression {
    if (text === "true" || text === "false") return { kind: "literal", at, value: text === "true" };
    if (text === "null") return { kind: "literal", at, value: null };
    if (reserved.has(text)) throw new CelIssue(at, `reserved identifier: ${text}`);
    if (text === "in") throw this.unexpected(anyExpression, { kind: "identifier", at, text });
    const open = this.peek().at;
    if (!this.accept("(")) return { kind: "identifier", at, name: text };
    const call: Call = { kind: "call", at: open, name: text, args: this.list(")") };
    return this.nest(expandMacro(call), call.args, 0);
  }

  /** Parses items with commas between them, up to the closing symbol. */
  private sequence<Item>(close: string, parseItem: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.accept(close)) {
      items.push(parseItem());
      if (!this.accept(",")) {
        this.expect(close);
        break;
      }
    }
    return items;
  }

  private list(close: string): Expression[] {
    return this.sequence(close, () => this.expression());
  }

  private listLiteral(at: number): ListLiteral {
    const items = this.sequence("]", () => ({ optional: this.accept("?"), value: this.expression() }));
    const parts = items.map(({ value }) => value);
    return this.nest({ kind: "list", at, items }, parts, 0);
  }

  private mapLiteral(at: number): MapLiteral {
    const entries = this.sequence("}", () => ({
      optional: this.accept("?"),
      key: this.expression(),
      at: this.expect(":"),
      value: this.expression(),
    }));
    const parts = entries.flatMap(({ key, value }) => [key, value]);
    return this.nest({ kind: "map", at, entries }, parts, 0);
  }

  private structLiteral(at: number, name: string): StructLiteral {
    const fields = this.sequence("}", () => ({
      optional: this.accept("?"),
      name: this.fieldName().replaceAll("`", ""),
      at: this.expect(":"),
      value: this.expression(),
    }));
    const parts = fields.map(({ value }) => value);
    return this.nest({ kind: "struct", at, name, fields }, parts, 0);
  }

  private fieldName(): string {
    const token = this.take();
    if (token.kind !== "identifier") throw this.unexpected("IDENTIFIER", token);
    return token.text;
  }

  /** Counts the depth of an expression: 1 for each operator, selection and method call, as in cel-go. */
  private nest<E extends Expression>(expression: E, parts: readonly Expression[], own: 0 | 1): E {
    let depth = 0;
    for (const part of parts) depth = Math.max(depth, this.depths.get(part) ?? 0);
    depth += own;
    if (depth > deepest) throw new CelIssue(nowhere, "max recursion depth exceeded");
    if (depth > 0) this.depths.set(expression, depth);
    return expression;
  }

  private peek(): Token {
    return this.tokens[this.position]!;
  }

  private take(): Token {
    const token = this.peek();
    if (token.kind !== "end") this.position++;
    return token;
  }

  private accept(symbol: string): boolean {
    const token = this.peek();
    if (token.kind !== "symbol" || token.text !== symbol) return false;
    this.position++;
    return true;
  }

  /** Takes a symbol, and returns its position. */
  private expect(symbol: string): number {
    const { kind, at, text } = this.peek();
    if (this.accept(symbol)) return at;
    throw new CelIssue(at, `Syntax error: missing '${symbol}' at '${kind === "end" ? "<EOF>" : text}'`);
  }

  private unexpected(expected: string, token: Token = this.peek()): CelIssue {
    const found = token.kind === "end" ? "<EOF>" : token.text;
    return new CelIssue(token.at, `Syntax error: mismatched input '${found}' expecting ${expected}`);
  }
}
