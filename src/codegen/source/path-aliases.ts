import { posix } from "node:path";
import { parseSync, type Expression } from "oxc-parser";
import type { Disk } from "../../files/disk.ts";

/** Returns the candidates for a specifier by the aliases of a project, relative to it. */
export type PathAliases = (specifier: string) => readonly string[];

/** A pattern with the paths that it stands for, relative to the project. */
type Alias = readonly [pattern: string, targets: readonly string[]];

/** Reads the aliases of tsconfig.json, of the files that it extends, and of `imports` in package.json. */
export async function loadPathAliases(root: string, disk: Pick<Disk, "read">): Promise<PathAliases> {
  const read = (path: string): Promise<Config | undefined> => disk.read(posix.join(root, path)).then(parseConfig);
  const { paths = {}, folder = ".", baseUrl = folder } = await loadPaths("tsconfig.json", read, new Set());
  const manifest = await read("package.json");
  const aliases: Alias[] = [
    ...Object.entries(paths).map(([key, targets]): Alias => [key, texts(targets).map((path) => place(path, baseUrl))]),
    ...Object.entries(manifest?.imports ?? {}).map(([key, entry]): Alias => [key, texts(exportedTypes(entry))]),
  ];
  return (specifier) =>
    aliases.flatMap(([pattern, targets]) => {
      const rest = matchAlias(pattern, specifier);
      return rest === undefined ? [] : targets.map((target) => posix.normalize(target.replace("*", rest)));
    });
}

/** The parts of a tsconfig.json or package.json that concern aliases. */
interface Config {
  readonly extends?: string | readonly string[];
  readonly compilerOptions?: Pick<Paths, "paths" | "baseUrl">;
  readonly imports?: Readonly<Record<string, unknown>>;
}

interface Paths {
  readonly paths?: Readonly<Record<string, readonly string[]>>;
  /** The folder of the file with the paths, to which they are relative without a `baseUrl`. */
  readonly folder?: string;
  readonly baseUrl?: string;
}

async function loadPaths(
  path: string,
  read: (path: string) => Promise<Config | undefined>,
  seen: Set<string>,
): Promise<Paths> {
  const config = seen.has(path) ? undefined : await read(path);
  seen.add(path);
  const folder = posix.dirname(path);
  let loaded: Paths = {};
  for (const parent of texts(config?.extends)) {
    if (!parent.startsWith(".")) continue; // a package, which knows nothing of the project's folders
    const file = posix.join(folder, parent.endsWith(".json") ? parent : `${parent}.json`);
    loaded = { ...loaded, ...(await loadPaths(file, read, seen)) };
  }
  const { paths, baseUrl } = config?.compilerOptions ?? {};
  return {
    ...loaded,
    ...(paths && { paths, folder }),
    ...(baseUrl !== undefined && { baseUrl: posix.join(folder, baseUrl) }),
  };
}

/** Places a path relative to a folder, or to the project's tsconfig.json by a variable of TypeScript. */
function place(path: string, folder: string): string {
  const variable = "${configDir}";
  return path.startsWith(variable) ? posix.join(".", path.slice(variable.length)) : posix.join(folder, path);
}

/** Returns the texts of a value that should be a text or a list of texts: TypeScript itself reports a wrong one. */
function texts(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === "string");
}

/** Returns the text that the `*` of a pattern matches. */
function matchAlias(pattern: string, specifier: string): string | undefined {
  const [start = "", end] = pattern.split("*");
  if (end === undefined) return specifier === pattern ? "" : undefined;
  const matches =
    specifier.startsWith(start) && specifier.endsWith(end) && specifier.length >= start.length + end.length;
  return matches ? specifier.slice(start.length, specifier.length - end.length) : undefined;
}

/**
 * Parses a file that can hold aliases. With its comments and trailing commas it is valid JavaScript, and parsed as
 * such.
 */
function parseConfig(text: string | undefined): Config | undefined {
  if (text === undefined || !/"(paths|extends|imports)"/.test(text)) return undefined;
  const [statement] = parseSync("tsconfig.ts", `(${text})`).program.body;
  return statement?.type === "ExpressionStatement" ? (valueOf(statement.expression) as Config | undefined) : undefined;
}

/** Converts a JSON value in a syntax tree. */
function valueOf(node: Expression): unknown {
  if (node.type === "ParenthesizedExpression") return valueOf(node.expression);
  if (node.type === "Literal") return node.value;
  if (node.type === "ArrayExpression") {
    return node.elements.map((element) => (element && element.type !== "SpreadElement" ? valueOf(element) : undefined));
  }
  if (node.type !== "ObjectExpression") return undefined;
  const entries = node.properties.flatMap((property) =>
    property.type === "Property" && property.key.type === "Literal"
      ? [[String(property.key.value), valueOf(property.value)] as const]
      : [],
  );
  return Object.fromEntries(entries);
}

/** Returns the first path that an entry of `exports` or `imports` in package.json leads to, `types` before others. */
export function exportedTypes(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return undefined;
  const conditions = entry as Record<string, unknown>;
  for (const condition of ["types", "import", "node", "default"]) {
    const path = condition in conditions ? exportedTypes(conditions[condition]) : undefined;
    if (path) return path;
  }
  return undefined;
}
