import { isError } from "../../errors/is-error.ts";
import { errorStack, errorText } from "./error-text.ts";
import type { Fields } from "./logger.ts";

type Values = Readonly<Record<string, unknown>>;

/** The values and characters of a line, and how deep its values are nested. */
const mostValues = 1_000;
const mostCharacters = 64 * 1024;
const deepest = 8;
const omitted = "…";
const unreadable = "[unreadable]";
/** The annotation in which kubectl keeps a whole object, such as a Secret with its data. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Converts what a program logs to values that JSON can hold, so that encoders only print. A Kubernetes object becomes its
 * identity at any depth, because a whole one would flood the log and reveal Secrets. Never throws. The limits hold for all
 * values of one instance.
 */
export class PlainValues {
  private values = mostValues;
  private characters = mostCharacters;
  private readonly parents: object[] = [];

  /** Converts the fields of a line; later ones replace earlier ones. The stack of an error gets a field of its own. */
  fields(parts: readonly Fields[]): Record<string, unknown> {
    const plain: Record<string, unknown> = {};
    for (const part of parts) {
      try {
        if (isKubernetesObject(part, true)) Object.assign(plain, this.identity(part));
        else this.addProperties(plain, part, true);
      } catch {
        plain["fields"] = unreadable;
      }
    }
    return plain;
  }

  /** Converts a value to text. For an error, it is the message with its causes. */
  text(value: unknown): string {
    try {
      if (isError(value)) return this.shortened(errorText(value));
    } catch {
      return unreadable;
    }
    const plain = this.value(value);
    return typeof plain === "string" ? plain : (JSON.stringify(plain) ?? String(value));
  }

  /** Converts a value; returns `undefined` for what JSON omits. */
  private value(value: unknown): unknown {
    switch (typeof value) {
      case "string":
        return this.shortened(value);
      case "number":
        return Number.isFinite(value) ? value : String(value);
      case "boolean":
        return value;
      case "bigint":
        return this.shortened(String(value));
      case "object":
        return value && this.nested(value);
      case "function":
      case "symbol":
      case "undefined":
        return undefined;
    }
  }

  private shortened(text: string): string {
    const left = this.characters;
    if (text.length <= left) {
      this.characters = left - text.length;
      return text;
    }
    this.characters = 0;
    return text.slice(0, left) + omitted;
  }

  private nested(value: object): unknown {
    if (this.parents.includes(value)) return "[circular]";
    if (this.parents.length === deepest) return omitted;
    this.parents.push(value);
    try {
      return this.object(value);
    } catch {
      return unreadable;
    } finally {
      this.parents.pop();
    }
  }

  private object(value: object): unknown {
    if (isError(value)) return this.shortened(errorStack(value));
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    // Before toJSON, which may return an object without its metadata.
    if (isKubernetesObject(value)) return this.identity(value);
    if (value instanceof Map) return this.list(entriesOf(value), (each) => this.value(each));
    if (Array.isArray(value) || value instanceof Set) return this.list(value, (each) => this.value(each));
    const { toJSON } = value as { readonly toJSON?: unknown };
    const json: unknown = typeof toJSON === "function" ? toJSON.call(value, "") : value;
    return json === value ? this.addProperties({}, value as Values, false) : this.value(json);
  }

  private list(values: Iterable<unknown>, convert: (value: unknown) => unknown): unknown[] {
    const plain: unknown[] = [];
    for (const each of values) {
      if (this.values-- <= 0) return [...plain, omitted];
      plain.push(convert(each));
    }
    return plain;
  }

  private addProperties(plain: Record<string, unknown>, values: Values, ofLine: boolean): Record<string, unknown> {
    for (const key of Object.keys(values)) {
      if (this.values-- <= 0) {
        plain[omitted] = omitted;
        break;
      }
      this.addProperty(plain, this.shortened(key), () => values[key], ofLine);
    }
    return plain;
  }

  private addProperty(plain: Record<string, unknown>, key: string, read: () => unknown, ofLine: boolean): void {
    try {
      const value = read();
      if (key === lastApplied) plain[key] = omitted;
      else if (ofLine && isError(value)) {
        // As in zap: the field is the same text wherever an error is logged.
        plain[key] = this.shortened(errorText(value));
        plain[`${key}Verbose`] = this.shortened(errorStack(value));
      } else plain[key] = this.value(value);
    } catch {
      plain[key] = unreadable;
    }
  }

  /** Returns what names an object, or the objects of a list; of an answer of the server, its reason, too. */
  private identity(object: Values): Values {
    const { apiVersion, kind, items, metadata } = object;
    const { namespace, name, generateName } = isObject(metadata) ? metadata : object;
    const { reason, message }: Values = kind === "Status" && apiVersion === "v1" ? object : {};
    const plain = { apiVersion, kind, namespace, name: name ?? generateName, reason, message };
    const texts = Object.entries(plain).filter(([, value]) => typeof value === "string");
    const identity = Object.fromEntries(texts.map(([key, value]) => [key, this.value(value)]));
    if (!Array.isArray(items)) return identity;
    return { ...identity, items: this.list(items, (item) => (isObject(item) ? this.identity(item) : omitted)) };
  }
}

/**
 * Recognizes what names itself or has metadata: objects of a list lack apiVersion and kind, a patch may lack both. In the
 * fields of a line, an apiVersion and a kind alone are fields like any others.
 */
function isKubernetesObject(value: object, ofLine = false): value is Values {
  const { apiVersion, kind, metadata, stringData, data, spec } = value as Values;
  if (isObject(metadata) || isObject(stringData)) return true;
  return typeof apiVersion === "string" && typeof kind === "string" && (!ofLine || isObject(data) || isObject(spec));
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null;
}

function* entriesOf(map: ReadonlyMap<unknown, unknown>): Generator {
  for (const [key, value] of map) yield [key, key === lastApplied ? omitted : value];
}
