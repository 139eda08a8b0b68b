/** The most ways in which an engine that goes back can match a text of a length, and so the work that it can have. */
export type Ways = (length: number) => number;

/**
 * Counts the ways to match a plain pattern: an alternative, an optional part and each length of a repeated part is one,
 * and parts that follow each other multiply. `undefined` if a repeated part can itself match in several ways, whose
 * number is exponential.
 */
export function waysToMatch(pattern: string): Ways | undefined {
  const parts = new Parts(pattern);
  const ways = parts.alternatives();
  if (ways === undefined) return undefined;
  // An expression that does not begin at the start can begin anywhere.
  const isAnchored = pattern.startsWith("^") && !pattern.includes("|");
  return isAnchored ? ways : (length) => ways(length) * (length + 1);
}

const one: Ways = () => 1;
/** A character, an escape or a class, an opening group, or a position. */
const atom = /\\.|\[\^?(?:\\.|[^\]\\])*\]|\((?:\?:)?|[^)|]/suy;
const quantifier = /([*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;

class Parts {
  private readonly pattern: string;
  private at = 0;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  /** Counts the alternatives up to the end of the group. */
  alternatives(): Ways | undefined {
    const first = this.sequence();
    if (first === undefined || this.pattern[this.at] !== "|") return first;
    this.at++;
    const rest = this.alternatives();
    return rest && ((length) => first(length) + rest(length));
  }

  private sequence(): Ways | undefined {
    let ways: Ways | undefined = one;
    for (;;) {
      const text = this.take(atom)?.[0];
      if (text === undefined) return ways;
      let part: Ways | undefined = one;
      if (text.startsWith("(")) {
        part = this.alternatives();
        this.at++;
      }
      const repeated: Ways | undefined = part && repeat(part, this.take(quantifier));
      const before: Ways = ways;
      if (repeated === undefined) return undefined;
      if (repeated !== one) ways = (length) => before(length) * repeated(length);
    }
  }

  private take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.pattern);
    if (found) this.at = expression.lastIndex;
    return found;
  }
}

function repeat(part: Ways, found: RegExpExecArray | null): Ways | undefined {
  if (!found) return part;
  const [, sign = "", least = "", range, greatest = ""] = found;
  if (sign === "?") return (length) => part(length) + 1;
  if (part !== one) return undefined;
  if (sign === "*" || sign === "+" || (range !== undefined && greatest === "")) return (length) => length + 1;
  const choices = range === undefined ? 1 : Number(greatest) - Number(least) + 1;
  return choices === 1 ? one : () => choices;
}
