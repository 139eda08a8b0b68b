import type { ListKey } from "./typed-node.ts";

/** The key of fieldsV1 for an item of a set or of a list with keys; a text in brackets says why it has none. */
export function itemKey(
  item: unknown,
  join: "set" | "map",
  keys: readonly ListKey[],
): { key: string } | { problem: string } {
  if (join === "set") return setKey(item);
  if (item === null) return { problem: "associative list with keys may not have a null element" };
  if (typeof item !== "object" || Array.isArray(item)) {
    return { problem: "associative list with keys may not have non-map elements" };
  }
  const fields = item as Record<string, unknown>;
  const values: Record<string, unknown> = {};
  for (const { name, default: otherwise } of keys) {
    const value = fields[name] ?? otherwise;
    if (value !== undefined) values[name] = value;
  }
  if (Object.keys(values).length > 0) return { key: `k:${JSON.stringify(values)}` };
  const names = keys.map(({ name }) => JSON.stringify(name)).join(" ");
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

/** A path for people: `.spec.items[a="x"].v`, `.spec.tags[="x"]`. */
export function formatPath(path: readonly string[]): string {
  return path.map(formatKey).join("");
}

function setKey(item: unknown): { key: string } | { problem: string } {
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  if (typeof item === "object") {
    const problem = Array.isArray(item)
      ? "not supported: associative list with lists as elements"
      : "associative list without keys has an element that's a map type";
    return { problem };
  }
  return { key: `v:${JSON.stringify(item)}` };
}

function formatKey(key: string): string {
  const text = key.slice(2);
  switch (key.charAt(0)) {
    case "f":
      return `.${text}`;
    case "k":
      return `[${Object.entries(JSON.parse(text) as object)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(",")}]`;
    case "v":
      return `[=${text}]`;
    default:
      return `[${text}]`;
  }
}
