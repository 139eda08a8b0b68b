import type { Kind } from "../../apimachinery/kind.ts";
import type { ListOptions } from "../../client/client.ts";
import { selectorText } from "../../client/calls/query.ts";
import { parseFieldSelector } from "../../apimachinery/selectors.ts";

/** Which objects of one namespace, in place of what holds for all. */
export interface NamespaceSelection {
  readonly labels?: ListOptions["labels"];
  readonly fields?: ListOptions["fields"];
}

/** Names, or names with selections of their own; `""` is all namespaces that are not named. */
export type Namespaces = readonly string[] | Readonly<Record<string, NamespaceSelection>>;

/** What one watch of an informer asks for; without a namespace, all of them. */
export interface WatchScope {
  readonly namespace: string | undefined;
  readonly labels: string | undefined;
  readonly fields: string | undefined;
}

/** The names in a list of namespaces, or in a mapping of them. */
export function namesOf(namespaces: Namespaces = []): readonly string[] {
  return isList(namespaces) ? namespaces : Object.keys(namespaces);
}

/** One watch for each namespace, or a single one. */
export function watchScopes(
  kind: Kind,
  selection: NamespaceSelection & { namespaces?: Namespaces | undefined },
): WatchScope[] {
  const { namespaces = [] } = selection;
  const names = kind.scope === "Namespaced" ? namesOf(namespaces) : [];
  const own = (name: string): NamespaceSelection => (isList(namespaces) ? {} : (namespaces[name] ?? {}));
  const scope = (namespace: string | undefined, { labels, fields }: NamespaceSelection): WatchScope => ({
    namespace,
    labels: selectorText(labels ?? selection.labels),
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

/** A selector of one namespace asks for the URL of that, for which a Role is enough. */
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
