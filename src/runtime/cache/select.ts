import type { Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { parseFieldSelector, parseLabelSelector } from "../../apimachinery/selectors.ts";
import type { ListOptions } from "../../client/client.ts";
import { selectorText } from "../../client/query.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Store } from "./store.ts";

/** The objects of a store that a list asks for: namespace and fields by index, labels one by one. */
export function* selectFrom<T extends KubeObject>(kind: Kind<T>, store: Store<T>, options: ListOptions): Generator<T> {
  const labels = options.labels === undefined ? undefined : parseLabelSelector(selectorText(options.labels)!);
  const fields = fieldRequirements(kind, store, options.fields);
  const { namespace } = options;
  for (const object of candidates(store, namespace, fields[0])) {
    if (namespace && object.metadata.namespace !== namespace) continue;
    if (!fields.every(({ index, value }) => store.indexValues(index, object).includes(value))) continue;
    if (labels && !labels.matches(object.metadata.labels ?? {})) continue;
    yield object;
  }
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
