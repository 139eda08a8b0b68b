type TokenType = "key" | "text" | "number" | "word" | "comment" | "mark";

/** A part of a line of YAML; its text is shown as it is. */
export interface Token {
  readonly type: TokenType;
  readonly text: string;
}

/** Splits a line of YAML into coloured parts. Together they are the line. */
export function tokenizeLine(line: string): Token[] {
  const tokens: Token[] = [];
  const push = (type: TokenType, text: string | undefined): void => {
    if (text) tokens.push({ type, text });
  };
  const [, indent, marks, rest = ""] = /^(\s*)((?:- )*(?:-$)?)(.*)$/.exec(line) ?? [];
  push("text", indent);
  push("mark", marks);
  if (rest.startsWith("#")) {
    push("comment", rest);
    return tokens;
  }
  const [, key, colon, value = ""] = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s:#][^:#]*?)(:)(?=\s|$)(.*)$/.exec(rest) ?? [];
  push("key", key);
  push("mark", colon);
  pushValue(key === undefined ? rest : value, push);
  return tokens;
}

function pushValue(text: string, push: (type: TokenType, text: string) => void): void {
  const [, space = "", value = "", comment = ""] =
    /^(\s*)((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^#]|\S#)*?)(\s+#.*)?$/.exec(text) ?? [];
  push("text", space);
  push(typeOf(value), value);
  push("comment", comment);
}

function typeOf(value: string): TokenType {
  if (/^-?\d[\d_.]*(e[+-]?\d+)?$/i.test(value)) return "number";
  if (/^(true|false|null|~|\{\}|\[\]|[|>][-+]?)$/.test(value)) return "word";
  return "text";
}
