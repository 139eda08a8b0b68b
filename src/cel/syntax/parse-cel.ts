import type { Call, Expression, ListLiteral, MapLiteral, StructLiteral } from "./expression.ts";
import { CelIssue } from "../values/issue.ts";
import { expandMacro } from "./macros.ts";
import { qualifiedName } from "./qualified-name.ts";
import { tokenize, type Token } from "./tokenize.ts";

/** The limit for nesting, which protects the stack. */
const deepest = 250;

/** Parses an expression and expands its macros. Throws a CelIssue. */
export function parseCel(source: string): Expression {
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

class Parser {
  private readonly tokens: readonly Token[];
  private position = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  whole(): Expression {
    const expression = this.expression();
    if (this.peek().kind !== "end") throw this.unexpected("<EOF>");
    return expression;
  }

  private expression(): Expression {
    if (++this.depth > deepest) throw new CelIssue(this.peek().at, `expression recursion limit exceeded: ${deepest}`);
    const condition = this.binary(0);
    const { at } = this.peek();
    if (this.accept("?")) {
      const yes = this.binary(0);
      this.expect(":");
      const args = [condition, yes, this.expression()];
      this.depth--;
      return { kind: "call", at, name: "_?_:_", args };
    }
    this.depth--;
    return condition;
  }

  private binary(level: number): Expression {
    const operators = levels[level];
    if (!operators) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const token = this.peek();
      const name = token.kind === "literal" ? undefined : operators[token.text];
      if (name === undefined || !Object.hasOwn(operators, token.text)) return left;
      this.position++;
      left = { kind: "call", at: token.at, name, args: [left, this.binary(level + 1)] };
    }
  }

  private unary(): Expression {
    const token = this.peek();
    if (token.kind !== "symbol" || (token.text !== "!" && token.text !== "-")) return this.member(this.primary());
    this.position++;
    const next = this.peek();
    if (
      token.text === "-" &&
      next.kind === "literal" &&
      (typeof next.value === "bigint" || typeof next.value === "number")
    ) {
      this.position++;
      return this.member({ kind: "literal", at: token.at, value: -next.value });
    }
    if (++this.depth > deepest) throw new CelIssue(token.at, `expression recursion limit exceeded: ${deepest}`);
    const operand = this.unary();
    this.depth--;
    return { kind: "call", at: token.at, name: token.text === "!" ? "!_" : "-_", args: [operand] };
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
        operand = { kind: "call", at, name: optional ? "_[?_]" : "_[_]", args: [operand, index] };
      } else return operand;
    }
  }

  private selection(operand: Expression, at: number): Expression {
    const optional = this.accept("?");
    const name = this.take();
    if (name.kind !== "identifier") throw this.unexpected("IDENTIFIER", name);
    const field = name.text.replaceAll("`", "");
    const open = this.peek().at;
    if (optional || field !== name.text || !this.accept("("))
      return { kind: "select", at, operand, field, mode: optional ? "optional" : "value" };
    return expandMacro({ kind: "call", at: open, name: field, target: operand, args: this.list(")") });
  }

  private primary(): Expression {
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
    return expandMacro(call);
  }

  private list(close: string): Expression[] {
    const items: Expression[] = [];
    while (!this.accept(close)) {
      items.push(this.expression());
      if (!this.accept(",")) {
        this.expect(close);
        break;
      }
    }
    return items;
  }

  private listLiteral(at: number): ListLiteral {
    const items: ListLiteral["items"][number][] = [];
    while (!this.accept("]")) {
      const optional = this.accept("?");
      items.push({ value: this.expression(), optional });
      if (!this.accept(",")) {
        this.expect("]");
        break;
      }
    }
    return { kind: "list", at, items };
  }

  private mapLiteral(at: number): MapLiteral {
    const entries: MapLiteral["entries"][number][] = [];
    while (!this.accept("}")) {
      const optional = this.accept("?");
      const key = this.expression();
      const colon = this.peek().at;
      this.expect(":");
      entries.push({ at: colon, key, value: this.expression(), optional });
      if (!this.accept(",")) {
        this.expect("}");
        break;
      }
    }
    return { kind: "map", at, entries };
  }

  private structLiteral(at: number, name: string): StructLiteral {
    const fields: StructLiteral["fields"][number][] = [];
    while (!this.accept("}")) {
      const optional = this.accept("?");
      const field = this.take();
      if (field.kind !== "identifier") throw this.unexpected("IDENTIFIER", field);
      const colon = this.peek().at;
      this.expect(":");
      fields.push({ at: colon, name: field.text.replaceAll("`", ""), value: this.expression(), optional });
      if (!this.accept(",")) {
        this.expect("}");
        break;
      }
    }
    return { kind: "struct", at, name, fields };
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

  private expect(symbol: string): void {
    if (this.accept(symbol)) return;
    const { kind, at, text } = this.peek();
    throw new CelIssue(at, `Syntax error: missing '${symbol}' at '${kind === "end" ? "<EOF>" : text}'`);
  }

  private unexpected(expected: string, token: Token = this.peek()): CelIssue {
    const found = token.kind === "end" ? "<EOF>" : token.text;
    return new CelIssue(token.at, `Syntax error: mismatched input '${found}' expecting ${expected}`);
  }
}
