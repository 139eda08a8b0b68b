import { posix } from "node:path";
import { parseSync, type Expression } from "oxc-parser";

/** Returns the candidates for a specifier by `compilerOptions.paths` of a tsconfig.json, relative to the project. */
export type PathAliases = (specifier: string) => readonly string[];

/**
 * Reads the aliases of a tsconfig.json. Its comments and trailing commas are valid JavaScript, so it is parsed as such.
 */
export function readPathAliases(tsconfig: string | undefined): PathAliases {
  if (!tsconfig?.includes("paths")) return () => [];
  const [statement] = parseSync("tsconfig.ts", `(${tsconfig})`).program.body;
  const config = statement?.type === "ExpressionStatement" ? valueOf(statement.expression) : undefined;
  const { paths, baseUrl = "." } = (config as Config | undefined)?.compilerOptions ?? {};
  const aliases = Object.entries(paths ?? {});
  return (specifier) =>
    aliases.flatMap(([pattern, targets]) => {
      const rest = matchAlias(pattern, specifier);
      return rest === undefined ? [] : targets.map((target) => posix.join(baseUrl, target.replace("*", rest)));
    });
}

interface Config {
  readonly compilerOptions?: { readonly paths?: Readonly<Record<string, string[]>>; readonly baseUrl?: string };
}

/** Returns the text that the `*` of a pattern matches. */
function matchAlias(pattern: string, specifier: string): string | undefined {
  const [start = "", end] = pattern.split("*");
  if (end === undefined) return specifier === pattern ? "" : undefined;
  const matches =
    specifier.startsWith(start) && specifier.endsWith(end) && specifier.length >= start.length + end.length;
  return matches ? specifier.slice(start.length, specifier.length - end.length) : undefined;
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
