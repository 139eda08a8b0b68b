import type { Kind } from "../../apimachinery/kind.ts";
import type { ListOptions } from "../../client/client.ts";
import { selectorText } from "../../client/calls/request-path.ts";
import { parseFieldSelector } from "../../apimachinery/selectors.ts";

/** The objects of one namespace to cache, instead of the common selection. */
export interface NamespaceSelection {
  readonly labels?: ListOptions["labels"];
  readonly fields?: ListOptions["fields"];
}

/** Names, or names with selections of their own; `""` stands for all other namespaces. */
export type Namespaces = readonly string[] | Readonly<Record<string, NamespaceSelection>>;

/** The scope of one watch; without a namespace, all of them. */
export interface WatchScope {
  readonly namespace: string | undefined;
  readonly labels: string | undefined;
  readonly fields: string | undefined;
}

/** Returns the names in a list or mapping of namespaces. */
export function namesOf(namespaces: Namespaces = []): readonly string[] {
  return isList(namespaces) ? namespaces : Object.keys(namespaces);
}

/** Returns a scope for each namespace, or a single one. Each selects `alsoLabels`, too. */
export function watchScopes(
  kind: Kind,
  selection: NamespaceSelection & { namespaces?: Namespaces | undefined },
  alsoLabels?: string,
): WatchScope[] {
  const { namespaces = [] } = selection;
  const names = kind.scope === "Namespaced" ? namesOf(namespaces) : [];
  const own = (name: string): NamespaceSelection => (isList(namespaces) ? {} : (namespaces[name] ?? {}));
  const scope = (namespace: string | undefined, { labels, fields }: NamespaceSelection): WatchScope => ({
    namespace,
    labels: [selectorText(labels ?? selection.labels), alsoLabels].filter(Boolean).join(",") || undefined,
    fields: selectorText(fields ?? selection.fields),
  });
  if (names.length === 0) return [scope(namespaceIn(kind, selection.fields), {})];
  const others = names.filter((name) => name !== "").map((name) => `metadata.namespace!=${name}`);
  return names.map((name) => {
    if (name !== "") return scope(name, own(name));
    const rest = scope(undefined, own(name));
    return { ...rest, fields: [rest.fields, ...others].filter(Boolean).join(",") || undefined };
  });
}

/** Returns the namespace of a selector by namespace, whose URL requires only a Role. */
function namespaceIn(kind: Kind, fields: ListOptions["fields"]): string | undefined {
  const text = selectorText(fields);
  if (!text || kind.scope === "Cluster") return undefined;
  const isNamespace = (each: { field: string; operator: string }): boolean =>
    each.field === "metadata.namespace" && each.operator === "=";
  return parseFieldSelector(text).find(isNamespace)?.value;
}

function isList(namespaces: Namespaces): namespaces is readonly string[] {
  return Array.isArray(namespaces);
}
