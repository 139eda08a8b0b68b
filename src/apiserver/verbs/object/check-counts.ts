import { isObject } from "../../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { tooManyValues } from "../../codec/value-limits.ts";
import { tooLarge } from "../../refusals.ts";
import type { Call } from "../request/call.ts";

/**
 * The most values of an object without its managed fields. The largest CRDs have 20,000, and one that has 1.5 MB without
 * any description 100,000.
 */
const mostValues = 100_000;
/** The most levels of all values together: the owners of fields are found by paths, and the paths of deep values are long. */
const mostLevels = 2_000_000;
/** The most objects in the lists of a built-in kind, of which each is validated by many rules. */
const mostListed = 10_000;
/** The most entries of a list or map of metadata and of a built-in kind. */
const mostEntries = 20_000;

/** Refuses an object with too many values, before work that is far more for each of them than decoding. */
export function checkCounts({ entry }: Pick<Call, "entry">, object: UnstructuredObject): void {
  const metadata = withoutManagers(object.metadata);
  const ofMetadata = countValues({ metadata });
  const { values, levels, listed, entries } = countValues({ ...object, metadata });
  if (values > mostValues) throw tooManyValues(values, mostValues);
  if (levels > mostLevels) throw tooLarge(`its values are at ${levels} levels together, the limit is ${mostLevels}`);
  const isCustom = entry.resource.custom !== undefined;
  const most = isCustom ? ofMetadata.entries : entries;
  if (most > mostEntries)
    throw tooLarge(`a list or map of the object has ${most} entries, the limit is ${mostEntries}`);
  if (listed > mostListed && !isCustom)
    throw tooLarge(`the lists of the object have ${listed} objects, the limit is ${mostListed}`);
}

/** Returns metadata without what the server writes. A value of a wrong type is refused later. */
function withoutManagers(metadata: unknown): unknown {
  if (!isObject(metadata)) return metadata;
  const { managedFields: _, ...own } = metadata;
  return own;
}

interface Counts {
  readonly values: number;
  /** The sum of the levels at which the values are. */
  readonly levels: number;
  /** The objects and lists that are items of lists. */
  readonly listed: number;
  /** The entries of the longest list or map. */
  readonly entries: number;
}

function countValues(object: object): Counts {
  // Level by level, as deep objects would exhaust the stack.
  let level: object[] = [object];
  let [values, levels, listed, longest] = [1, 0, 0, 0];
  for (let depth = 1; level.length > 0; depth++) {
    const below: object[] = [];
    for (const each of level) {
      const entries: readonly unknown[] = Array.isArray(each) ? each : Object.values(each);
      for (const value of entries) {
        if (typeof value !== "object" || value === null) continue;
        if (entries === each) listed++;
        below.push(value);
      }
      values += entries.length;
      levels += entries.length * depth;
      longest = Math.max(longest, entries.length);
    }
    level = below;
  }
  return { values, levels, listed, entries: longest };
}
