import { equalJson } from "../../../apimachinery/equal.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { parseJsonObjectOrUndefined } from "../../../apimachinery/parse-json-object.ts";
import type { ThreeTexts } from "../../../files/merge-lines.ts";

/** A merged package.json, with the values that both sides changed: there the project's value stays. */
export interface MergedPackage {
  readonly text: string;
  readonly kept: readonly { readonly path: string; readonly ours: string; readonly theirs: string }[];
}

/**
 * Merges a package.json by keys: lines of a sorted list of dependencies would conflict with each neighbour, and a
 * conflict marker would leave a file that no package manager reads. Returns `undefined` if a text is no JSON object.
 */
export function mergePackage({ base, ours, theirs }: ThreeTexts): MergedPackage | undefined {
  const [old, mine, next] = [base, ours, theirs].map(parseJsonObjectOrUndefined);
  if (!old || !mine || !next) return undefined;
  const kept: MergedPackage["kept"][number][] = [];
  const merged = mergeObjects([old, mine, next], "", (path, ourValue, theirValue) =>
    kept.push({ path, ours: formatValue(ourValue), theirs: formatValue(theirValue) }),
  );
  if (equalJson(merged, mine)) return { text: ours, kept };
  return { text: formatLike(ours, merged), kept };
}

/** Formats a JSON object with the indentation and the end of a text. */
export function formatLike(text: string, value: JsonObject): string {
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  return `${JSON.stringify(value, null, indent)}${text.endsWith("\n") ? "\n" : ""}`;
}

type JsonObject = Readonly<Record<string, unknown>>;
type OnBoth = (path: string, ours: unknown, theirs: unknown) => void;

function formatValue(value: unknown): string {
  return value === undefined ? "absent" : JSON.stringify(value);
}

/** Keeps the order of the project's keys; new ones are added in order if the project's are sorted, else at the end. */
function mergeObjects(
  [base, ours, theirs]: readonly [JsonObject, JsonObject, JsonObject],
  path: string,
  onBoth: OnBoth,
): JsonObject {
  const names = Object.keys(ours);
  const isSorted = names.length > 1 && names.join("\0") === names.toSorted().join("\0");
  const added = Object.keys(theirs).filter((name) => !Object.hasOwn(ours, name));
  const all = isSorted ? [...names, ...added].toSorted() : [...names, ...added];
  const entries = all.flatMap((name) => {
    const at = path ? `${path}.${name}` : name;
    const value = mergeValues([base[name], ours[name], theirs[name]], at, onBoth);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

function mergeValues(
  [base, ours, theirs]: readonly [unknown, unknown, unknown],
  path: string,
  onBoth: OnBoth,
): unknown {
  if (equalJson(base, theirs)) return ours;
  if (equalJson(base, ours)) return theirs;
  if (isObject(ours) && isObject(theirs)) return mergeObjects([isObject(base) ? base : {}, ours, theirs], path, onBoth);
  if (!equalJson(ours, theirs)) onBoth(path, ours, theirs);
  return ours;
}
