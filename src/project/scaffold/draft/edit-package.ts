import { parseJsonObject } from "../../../apimachinery/parse-json-object.ts";

/** Adds a dependency (`name`, `name@range`, `@scope/name@range`) to the text of a package.json. */
export function addDependency(text: string, module: string): string {
  const at = module.indexOf("@", 1);
  const [name, range] = at < 0 ? [module, "*"] : [module.slice(0, at), module.slice(at + 1)];
  const value = parseJsonObject(text, "package.json") as { dependencies?: Record<string, string> };
  const dependencies = { ...value.dependencies, [name]: range };
  const sorted = Object.fromEntries(Object.entries(dependencies).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ ...value, dependencies: sorted }, null, 2)}\n`;
}
