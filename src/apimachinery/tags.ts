import { dnsLabelProblems, dnsSubdomainProblems, labelPattern, subdomainPattern } from "./dns-names.ts";
import { labelKeyProblems, labelValueProblems } from "./label-syntax.ts";

// What `+k8s:` tags mean: the server checks them on the types of Kubernetes, and codegen writes schemas from them for the
// types of users.

/**
 * The limits of a schema, with the type of the values that they are for. A `+k8s:` tag has the name of its keyword;
 * others, such as `pattern`, are not tags.
 */
export const limits = {
  maximum: "number",
  minimum: "number",
  exclusiveMaximum: "number",
  exclusiveMinimum: "number",
  multipleOf: "number",
  maxLength: "string",
  minLength: "string",
  pattern: "string",
  maxItems: "array",
  minItems: "array",
  uniqueItems: "array",
  maxProperties: "object",
  minProperties: "object",
} as const;

export type Limit = keyof typeof limits;

/** The limits that are tags; a schema has no keyword for `maxBytes`. */
export type LimitTag = Extract<Limit, `${"max" | "min"}${string}`> | "maxBytes";

export function isLimitTag(name: string): name is LimitTag {
  return name === "maxBytes" || (/^m(ax|in)/.test(name) && Object.hasOwn(limits, name));
}

/** A syntax that `k8s:format` names. */
export interface TagFormat {
  readonly pattern: string;
  readonly maxLength?: number;
  /** Returns what is wrong with a text, in the words of a server. */
  readonly problems?: (text: string) => readonly string[];
}

const anyLabel = "[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?";
const qualified = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

/** The formats of Kubernetes' own types, by their names. */
export const tagFormats: ReadonlyMap<string, TagFormat> = new Map(
  Object.entries<TagFormat>({
    "k8s-short-name": { pattern: `^${labelPattern}$`, maxLength: 63, problems: dnsLabelProblems },
    "k8s-long-name": { pattern: `^${subdomainPattern}$`, maxLength: 253, problems: dnsSubdomainProblems },
    "k8s-long-name-caseless": {
      pattern: `^${anyLabel}(\\.${anyLabel})*$`,
      maxLength: 253,
      problems: (text) => dnsSubdomainProblems(text.toLowerCase()),
    },
    "k8s-label-key": { pattern: `^(${subdomainPattern}/)?${qualified}$`, maxLength: 317, problems: labelKeyProblems },
    "k8s-prefixed-label-key": { pattern: `^${subdomainPattern}/${qualified}$`, maxLength: 317 },
    "k8s-label-value": { pattern: `^(${qualified})?$`, maxLength: 63, problems: labelValueProblems },
    "k8s-path-segment-name": { pattern: "^([^/%.]|\\.[^/%.]|\\.\\.[^/%])[^/%]*$", problems: pathSegmentProblems },
    "k8s-resource-fully-qualified-name": { pattern: `^${subdomainPattern}/[A-Za-z_][A-Za-z0-9_]*$`, maxLength: 96 },
    "k8s-resource-pool-name": { pattern: `^${subdomainPattern}(/${subdomainPattern})*$`, maxLength: 253 },
    "k8s-uuid": { pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", maxLength: 36 },
  }),
);

/** The error of a field with the tag `immutable`. */
export const immutableText = "field is immutable";

function pathSegmentProblems(text: string): string[] {
  return /^\.\.?$|[/%]/.test(text) ? ["must not be '.' or '..', nor contain '/' or '%'"] : [];
}

/** Leaves out the comment behind a tag: `maximum=9 # nine`. A `#` in quotes belongs to the value. */
export function withoutComment(tag: string): string {
  return /^(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^#])*/.exec(tag)![0].trimEnd();
}
