import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * All entries of package.json except the Kinds and types of built-in groups, which have Kubernetes' own documentation.
 */
export const entries: readonly { readonly from: string; readonly path: string }[] = [
  { from: "tsop", path: "src/index.ts" },
  { from: "tsop/testing", path: "src/testing/index.ts" },
  { from: "tsop/codegen", path: "src/codegen/index.ts" },
  { from: "tsop/client-node", path: "src/client-node.ts" },
  { from: "tsop/yaml", path: "src/yaml.ts" },
];

export interface Export {
  readonly name: string;
  /** The entry of the package that exports it. */
  readonly from: string;
  readonly file: string;
  /** True for a function, class or constant, false for a type. */
  readonly isValue: boolean;
  /** The comment directly before its declaration. */
  readonly doc: string | undefined;
}

/** Returns all names that the package exports. */
export async function packageExports(): Promise<Export[]> {
  return (await Promise.all(entries.map(({ from, path }) => exportsOf(from, path)))).flat();
}

async function exportsOf(from: string, entry: string): Promise<Export[]> {
  const text = await readFile(join(root, entry), "utf8");
  const own = [...text.matchAll(/^export (?:async )?(function|class|const|interface|type) (\w+)/gm)].map(
    ([, what = "", name = ""]) => {
      const isValue = what !== "interface" && what !== "type";
      return { name, from, file: entry, isValue, doc: docOf(name, text) };
    },
  );
  const lists = [...text.matchAll(/^export (type )?\{([^}]*)\} from "(\..*?)";/gm)];
  const found = await Promise.all(
    lists.map(async ([, onlyTypes, names = "", file = ""]) => {
      const source = await readFile(join(root, dirname(entry), file), "utf8");
      return names
        .split(",")
        .map((each) => each.trim())
        .filter((each) => each !== "")
        .map((each) => {
          const [original = "", alias = original] = each.replace(/^type /, "").split(" as ");
          const isValue = !onlyTypes && !each.startsWith("type ");
          return { name: alias, from, file, isValue, doc: docOf(original, source) };
        });
    }),
  );
  return [...own, ...found.flat()];
}

/** Returns the doc comment of a name. A type and a constant of one name count as one: either may have the comment. */
function docOf(name: string, source: string): string | undefined {
  const declaration = new RegExp(
    `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*export (?:abstract |async )?(?:const|function|class|interface|type) ${name}\\b`,
  );
  return declaration.exec(source)?.[1]?.trim();
}
