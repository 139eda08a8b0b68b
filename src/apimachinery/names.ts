import { irregularWords, pluralEndings } from "./plural-words.ts";

// Each check returns the rule that a value breaks, or `undefined`.

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

/** Checks a DNS-1123 label: names of namespaces, and parts of most other names. */
export function checkDns1123Label(value: string): string | undefined {
  if (value.length > 63) return "at most 63 characters";
  if (new RegExp(`^${label}$`).test(value)) return undefined;
  return "lower-case letters, digits and '-', with a letter or digit at both ends";
}

/** Checks a DNS-1123 subdomain: labels separated by dots. */
export function checkDns1123Subdomain(value: string): string | undefined {
  if (value.length > 253) return "at most 253 characters";
  if (new RegExp(`^${label}(\\.${label})*$`).test(value)) return undefined;
  return "lower-case letters, digits, '-' and '.', with a letter or digit at the ends of each part";
}

/** Checks a DNS-1035 label: names of services, and plurals of kinds. */
export function checkDns1035Label(value: string): string | undefined {
  if (value.length > 63) return "at most 63 characters";
  if (/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(value)) return undefined;
  return "lower-case letters, digits and '-', a letter first, a letter or digit last";
}

/** Checks an API version as CRDs and the server's version order define it. */
export function checkApiVersion(value: string): string | undefined {
  return /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(value) ? undefined : "like v1, v1beta2 or v1alpha1";
}

/** Checks a kind, which must be a valid type name in TypeScript, too. */
export function checkKindName(value: string): string | undefined {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(value)) return "UpperCamelCase, letters and digits only, like Memcached";
  if (value.length > 63) return "at most 63 characters";
  return globalNames.has(value) ? "not the name of a global of JavaScript or TypeScript" : undefined;
}

const globalNames = new Set(
  (
    "AbortController AbortSignal Array ArrayBuffer Atomics BigInt Blob Boolean Buffer DataView Date Error Event EventTarget " +
    "Exclude Extract File FormData Function Headers Infinity Intl Iterator JSON List Map Math NaN NonNullable Number Object " +
    "Omit Parameters Partial Performance Pick Promise Proxy Range Readonly Record Reflect RegExp Request Required Response " +
    "ReturnType Set String Symbol URL WeakMap WeakRef WeakSet WebAssembly WebSocket"
  ).split(" "),
);

/** Returns the plural of a lower-case word as flect forms it (`memcached` → `memcacheds`, `policy` → `policies`). */
export function pluralize(word: string): string {
  const { words, endings } = (rules ??= readRules());
  const known = words.find(({ singular }) => singular === word);
  if (known) return known.plural;
  if (words.some((entry) => !entry.sharedPlural && (entry.plural === word || entry.other === word))) return word;
  for (const { singular, plural } of endings) {
    if (word.endsWith(plural)) return word;
    if (word.endsWith(singular)) return word.slice(0, word.length - singular.length) + plural;
  }
  return word.endsWith("s") ? word : `${word}s`;
}

interface Ending {
  readonly singular: string;
  readonly plural: string;
}

interface Word extends Ending {
  readonly other: string | undefined;
  readonly exact: boolean;
  readonly sharedPlural: boolean;
}

let rules: { readonly words: readonly Word[]; readonly endings: readonly Ending[] } | undefined;

/** Reads the irregular words, and the endings, of which the first that fits counts. */
function readRules(): NonNullable<typeof rules> {
  const words = split(irregularWords).map((entry): Word => {
    const [, marks, singular, plural, other] = /^([=>]*)([^:|]+)(?::([^|]+))?(?:\|(.+))?$/.exec(entry)!;
    return {
      singular: singular!,
      plural: plural ?? singular!,
      other,
      exact: marks!.includes("="),
      sharedPlural: marks!.includes(">"),
    };
  });
  const endings = split(pluralEndings).map((entry): Ending => {
    const [singular, plural] = entry.split(":") as [string, string];
    return { singular, plural };
  });
  return { words, endings: [...words.filter(({ exact }) => !exact).toReversed(), ...endings] };
}

function split(list: string): string[] {
  return list.trim().split(/\s+/);
}
