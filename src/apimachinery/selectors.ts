import { compareText } from "./compare-text.ts";
import { labelKeyProblems, labelValueProblems } from "./label-syntax.ts";

/** A selector with a syntax error; the message is the API server's. */
export class SelectorError extends Error {
  override readonly name: string = "SelectorError";
}

/** Matches the labels of objects. */
export interface LabelMatcher {
  matches(labels: Readonly<Record<string, string>>): boolean;
}

interface Requirement {
  readonly key: string;
  readonly operator: "=" | "!=" | "in" | "notin" | "exists" | "!" | ">" | "<";
  readonly values: readonly string[];
}

export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** A LabelSelector, also of a type that is written from a foreign CRD: the operator is any text there. */
export interface AnyLabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

type AnyRequirement = NonNullable<AnyLabelSelector["matchExpressions"]>[number];

/** Parses a selector such as `app=web,tier in (a,b),!debug`. */
export function parseLabelSelector(text: string): LabelMatcher {
  return matcher(new Parser(text).requirements());
}

/** Returns the matcher of a LabelSelector object; an empty one matches everything. */
export function labelSelectorMatcher(selector: AnyLabelSelector): LabelMatcher {
  return matcher(requirementsOf(selector));
}

/**
 * Reports whether a LabelSelector object selects an object with these labels; an empty selector selects every object.
 *
 * @example
 * const settings = (await client.list(ConfigMap)).items.filter(({ metadata }) =>
 *   matchesLabelSelector(deployment.spec!.selector, metadata.labels),
 * );
 */
export function matchesLabelSelector(
  selector: AnyLabelSelector,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  return requirementsOf(selector).every((requirement) => holds(requirement, labels));
}

/**
 * Formats a LabelSelector object, as in the query of a list.
 *
 * @example
 * const labels = formatLabelSelector(deployment.spec!.selector);
 * const { items } = await client.list(Pod, { namespace: "default", labels });
 */
export function formatLabelSelector(selector: AnyLabelSelector): string {
  return requirementsOf(selector).map(formatRequirement).join(",");
}

/** Parses a selector such as `metadata.name=a,status.phase!=Running`. */
export function parseFieldSelector(text: string): FieldRequirement[] {
  return splitTerms(text).map((term) => {
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
    if (!match) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    return { field: match[1]!, operator: match[2] === "!=" ? "!=" : "=", value: unescapeValue(match[3]!) };
  });
}

function matcher(requirements: readonly Requirement[]): LabelMatcher {
  return { matches: (labels) => requirements.every((requirement) => holds(requirement, labels)) };
}

function holds({ key, operator, values }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "=":
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case ">":
    case "<":
      if (value === undefined || !/^[-+]?\d+$/.test(value)) return false;
      return operator === ">" ? BigInt(value) > BigInt(values[0]!) : BigInt(value) < BigInt(values[0]!);
    default:
      return operator satisfies never;
  }
}

const operators = new Map<string, Requirement["operator"]>([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

function requirementsOf(selector: AnyLabelSelector): Requirement[] {
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]): Requirement => ({
    key,
    operator: "=",
    values: [value],
  }));
  const expressions = (selector.matchExpressions ?? []).map(fromExpression);
  return [...labels, ...expressions].toSorted((a, b) => compareText(a.key, b.key));
}

function fromExpression({ key, operator, values = [] }: AnyRequirement): Requirement {
  const known = operators.get(operator);
  if (known === undefined) throw new SelectorError(`"${operator}" is not a valid label selector operator`);
  return { key, operator: known, values };
}

function formatRequirement({ key, operator, values }: Requirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.toSorted().join(",")})`;
    case "=":
    case "!=":
    case ">":
    case "<":
      return `${key}${operator}${values[0]}`;
    default:
      return operator satisfies never;
  }
}

interface Token {
  readonly text: string;
  readonly word: boolean;
}

const end: Token = { text: "", word: false };
/** The grammar of label selectors, with the API server's messages. */
class Parser {
  private readonly tokens: Token[];
  private position = 0;

  constructor(text: string) {
    const parts = text.matchAll(/==|!=|[=!<>(),]|[^=!<>(),\s]+/g);
    this.tokens = [...parts].map(([text]) => ({ text, word: !/^[=!<>(),]/.test(text) }));
  }

  requirements(): Requirement[] {
    const list: Requirement[] = [];
    if (this.peek() === end) return list;
    if (!this.startsRequirement()) throw this.unexpected("expected: !, identifier, or 'end of string'");
    for (;;) {
      list.push(this.requirement());
      const next = this.take();
      if (next === end) return list;
      if (next.text !== ",") throw new SelectorError(`found '${next.text}', expected: ',' or 'end of string'`);
      if (!this.startsRequirement()) throw this.unexpected("expected: identifier after ','");
    }
  }

  private startsRequirement(): boolean {
    return this.peek().word || this.peek().text === "!";
  }

  private unexpected(wanted: string): SelectorError {
    return new SelectorError(`found '${this.peek().text}', ${wanted}`);
  }

  private requirement(): Requirement {
    const negated = this.peek().text === "!";
    if (negated) this.take();
    const key = this.word();
    checkKey(key);
    if (negated) return { key, operator: "!", values: [] };
    const next = this.peek();
    if (next === end || next.text === ",") return { key, operator: "exists", values: [] };
    const requirement = this.comparison(key, this.take().text);
    for (const [index, value] of requirement.values.entries()) checkValue(requirement, value, index);
    return requirement;
  }

  private comparison(key: string, operator: string): Requirement {
    switch (operator) {
      case "=":
      case "==":
        return { key, operator: "=", values: [this.value()] };
      case "!=":
      case ">":
      case "<":
        return { key, operator, values: [this.value()] };
      case "in":
      case "notin":
        return { key, operator, values: this.values() };
      default:
        throw unreadable(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  /** Parses a value, which can be empty: `app=`. */
  private value(): string {
    const next = this.peek();
    return next === end || next.text === "," ? "" : this.word();
  }

  private values(): string[] {
    const open = this.take();
    if (open.text !== "(") throw unreadable(`found '${open.text}' expected: '('`);
    const first = this.peek();
    if (first.text !== ")" && first.text !== "," && !first.word)
      throw unreadable(`found '${first.text}', expected: ',', ')' or identifier`);
    const values = first.text === ")" ? [""] : this.list();
    this.take();
    return values;
  }

  /** Parses values up to the closing parenthesis. A comma without a value next to it stands for an empty value. */
  private list(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.take();
      const next = this.peek();
      if (token.word) {
        values.push(token.text);
        if (next.text === ")") return values;
        if (next.text !== ",") throw unreadable(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.text === ",") {
        if (values.length === 0) values.push("");
        if (next.text === ")") return [...values, ""];
        if (next.text === ",") values.push("");
        if (next.text === ",") this.take();
      } else throw unreadable(`found '${token.text}', expected: ',', or identifier`);
    }
  }

  private word(): string {
    const token = this.take();
    if (!token.word) throw unreadable(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  private peek(): Token {
    return this.tokens[this.position] ?? end;
  }

  private take(): Token {
    const token = this.peek();
    this.position++;
    return token;
  }
}

function checkKey(key: string): void {
  const complaints = labelKeyProblems(key);
  if (complaints.length > 0) throw unreadable(`<nil>: Invalid value: "${key}": ${complaints.join("; ")}`);
}

function checkValue({ key, operator }: Requirement, value: string, index: number): void {
  if ((operator === ">" || operator === "<") && !/^[-+]?\d+$/.test(value))
    throw unreadable(`values[0]: Invalid value: "${value}": for 'Gt', 'Lt' operators, the value must be an integer`);
  const complaints = labelValueProblems(value);
  if (complaints.length === 0) return;
  throw unreadable(`values[${index}][${key}]: Invalid value: "${value}": ${complaints.join("; ")}`);
}

function unreadable(reason: string): SelectorError {
  return new SelectorError(`unable to parse requirement: ${reason}`);
}

/** Splits at commas without a backslash. */
function splitTerms(text: string): string[] {
  return text.match(/(?:\\.?|[^,\\])+/gs) ?? [];
}

/** Replaces the escape sequences of a value, in which a comma and an equals sign need one. */
function unescapeValue(text: string): string {
  return text.replace(/\\(.?)|[,=]/gs, (found, escaped: string | undefined) => {
    if (escaped === undefined)
      throw new SelectorError(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    if (!/^[\\,=]$/.test(escaped)) throw new SelectorError(`invalid field selector: invalid escape sequence: ${found}`);
    return escaped;
  });
}
