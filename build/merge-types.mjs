// The text of src/runtime/objects/merge-types.ts: the lists of built-in types that a strategic merge patch merges, and
// the types on the way to them. The recorded data has all schemas, which is sixty times as much.

/** Renders the file; `nameOf` shortens the OpenAPI name of a type. */
export function renderMergeTypes({ version, resources, types, lists }, nameOf) {
  const leads = new Map();
  const kinds = resources.map(({ group, version: of, kind, type }) => [`${group}/${of} ${kind}`, nameOf(type)]);
  const needed = new Set();
  for (const { type } of resources) collect(type);
  return `// Kubernetes ${version}, written by build/k8s-types.mjs; do not edit.

/** The patch strategy of a field, its merge key, and its type or that of its items; each is empty if it has none. */
export type MergeField = readonly [strategy: string, mergeKey: string, type: string];
export const mergeTypes: Readonly<Record<string, Readonly<Record<string, MergeField>>>> = {
${[...needed]
  .toSorted()
  .map((type) => `  ${JSON.stringify(nameOf(type))}: ${JSON.stringify(Object.fromEntries(mergeFields(type)))},\n`)
  .join("")}};
/** The types of the kinds, by group, version and kind. */
export const mergeKinds: Readonly<Record<string, string>> = {
${kinds.map(([kind, type]) => `  ${JSON.stringify(kind)}: ${JSON.stringify(type)},\n`).join("")}};
`;

  function collect(type) {
    if (needed.has(type) || !isOnTheWay(type)) return;
    needed.add(type);
    for (const field of fieldsOf(type)) if (field.type) collect(field.type);
  }

  function mergeFields(type) {
    return fieldsOf(type).flatMap(({ name, list: [strategy = "", mergeKey = ""], type, isList }) => {
      const inner = type && isOnTheWay(type) && (!isList || strategy) ? nameOf(type) : "";
      return strategy || inner ? [[name, [strategy, mergeKey, inner]]] : [];
    });
  }

  /** Returns the fields of a type, also inherited ones, and those of ObjectMeta, of which the data has the lists only. */
  function fieldsOf(type) {
    const { allOf = [], properties = {} } = types[type];
    const listed = Object.keys(lists).flatMap((key) =>
      key.startsWith(`${type}.`) ? [key.slice(type.length + 1)] : [],
    );
    const names = new Set([...Object.keys(properties), ...listed]);
    const own = [...names].map((name) => {
      const property = properties[name] ?? {};
      return { name, list: lists[`${type}.${name}`] ?? [], type: typeOf(property), isList: property.type === "array" };
    });
    return [...allOf.flatMap(({ $ref }) => ($ref ? fieldsOf($ref) : [])), ...own];
  }

  /** Reports whether a type has such a field, directly or deeper. A recursive type is no reason for itself. */
  function isOnTheWay(type) {
    if (!leads.has(type)) {
      leads.set(type, false);
      leads.set(type, mergeFields(type).length > 0);
    }
    return leads.get(type);
  }

  function typeOf({ $ref, allOf, items }) {
    return $ref ?? allOf?.[0]?.$ref ?? (items && typeOf(items));
  }
}
