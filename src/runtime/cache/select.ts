import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { parseFieldSelector, parseLabelSelector } from "../../apimachinery/selectors.ts";
import type { ListOptions } from "../../client/client.ts";
import { selectorText } from "../../client/query.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Informer } from "./informer.ts";
import { storeKey, type Store } from "./store.ts";

/** The objects that a list asks for: namespace and fields by index, labels one by one, fresh writes instead of the store. */
export function* selectFrom<T extends KubeObject>(
  { kind, store, writes }: Pick<Informer<T>, "kind" | "store" | "writes">,
  options: ListOptions,
): Generator<T> {
  const labels = options.labels === undefined ? undefined : parseLabelSelector(selectorText(options.labels)!);
  const fields = fieldRequirements(kind, store, options.fields);
  const { namespace } = options;
  const isWanted = (object: T): boolean =>
    (!namespace || object.metadata.namespace === namespace) &&
    fields.every(({ index, value }) => store.indexValues(index, object).includes(value)) &&
    (!labels || labels.matches(object.metadata.labels ?? {}));

  const overlaid = !writes.isEmpty;
  for (const object of candidates(store, namespace, fields[0])) {
    if (overlaid && writes.get(storeKey(object))) continue;
    if (isWanted(object)) yield object;
  }
  if (!overlaid) return;
  for (const object of writes.values()) if (isWanted(object)) yield object;
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

function candidates<T extends KubeObject>(
  store: Store<T>,
  namespace: string | undefined,
  first: Requirement | undefined,
): Iterable<T> {
  if (first) return store.byIndex(first.index, first.value);
  return namespace ? store.inNamespace(namespace) : store.values();
}
