import { cloneJson } from "../../apimachinery/clone.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject, Named } from "../../apimachinery/meta.ts";
import { parseFieldSelector, parseLabelSelector } from "../../apimachinery/selectors.ts";
import type { ListOptions, ReadonlyListOptions } from "../../client/client.ts";
import { selectorText } from "../../client/calls/request-path.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Informer } from "./informer.ts";
import { storeKey } from "./object-store.ts";

/**
 * Yields the objects of a list: namespace and fields by index, labels one by one, fresh writes instead of the store.
 * All are in the state at the first one, however long the iteration takes. They are the caller's own, unless the list
 * is read-only.
 */
export function* selectFrom<T extends KubeObject>(
  { kind, store, writes }: Pick<Informer<T>, "kind" | "store" | "writes">,
  options: ListOptions | ReadonlyListOptions,
): Generator<Named<T>> {
  const labels = options.labels === undefined ? undefined : parseLabelSelector(selectorText(options.labels)!);
  const fields = fieldRequirements(kind, store, options.fields);
  const { namespace, readonly } = options;
  const isWanted = (object: Named<T>): boolean =>
    (!namespace || object.metadata.namespace === namespace) &&
    fields.every(({ index, value }) => store.indexValues(index, object).includes(value)) &&
    (!labels || labels.matches(object.metadata.labels ?? {}));

  const [first] = fields;
  const snapshot = store.snapshot(first ? store.keysByIndex(first.index, first.value) : store.keys(namespace));
  const fresh = writes.isEmpty ? [] : [...writes.values()];
  const overlaid = new Set(fresh.map(storeKey));
  const copies = !readonly && !labels && fields.length === 0;
  for (const [key, kept] of snapshot) {
    if (overlaid.has(key)) continue;
    const object = copies ? store.copy(kept) : store.share(key, kept);
    if (writes.isGone(object)) continue;
    if (copies) yield object;
    else if (isWanted(object)) yield readonly ? object : cloneJson(object);
  }
  for (const object of fresh) if (isWanted(object)) yield readonly ? object : cloneJson(object);
}

interface Requirement {
  readonly index: string;
  readonly value: string;
}

function fieldRequirements(
  kind: Kind,
  store: { hasIndex(name: string): boolean },
  fields: ListOptions["fields"],
): Requirement[] {
  const text = selectorText(fields);
  if (!text) return [];
  return parseFieldSelector(text).map(({ field, operator, value }) => {
    if (operator === "!=") throw new TsopError("TSOP_CACHE_FIELD_OPERATOR", { selector: text });
    const index = `field:${field}`;
    if (!store.hasIndex(index)) throw new TsopError("TSOP_INDEX_MISSING", { kind: kind.kind, field });
    return { index, value };
  });
}
