import { join } from "node:path";
import Handlebars from "handlebars";
import { packageFile } from "../../../apimachinery/package-file.ts";
import type { Disk } from "../../../files/disk.ts";

/** A file below a tree of `templates/`: its path, and its text with the parts that depend on a context. */
export interface Template {
  readonly path: string;
  readonly parts: readonly TemplatePart[];
}

/** Text, `{{name}}`, or `{{#if name}}…{{else}}…{{/if}}`. */
export type TemplatePart =
  | string
  | { readonly value: string }
  | { readonly condition: string; readonly met: readonly TemplatePart[]; readonly unmet: readonly TemplatePart[] };

/**
 * Loads the templates of a tree. The build replaces this module by its results, so that no command parses templates.
 */
export async function loadTemplates(disk: Pick<Disk, "list" | "read">, tree: string): Promise<readonly Template[]> {
  const root = join(packageFile("templates"), tree);
  const paths = await disk.list(root);
  return Promise.all(
    paths.map(async (path) => {
      const text = (await disk.read(join(root, path)))!;
      return { path, parts: path.endsWith(".hbs") ? partsOf(Handlebars.parse(text)) : [text] };
    }),
  );
}

function partsOf(program: hbs.AST.Program | undefined): TemplatePart[] {
  return program?.body.flatMap(partOf) ?? [];
}

function partOf(statement: hbs.AST.Statement): TemplatePart[] {
  switch (statement.type) {
    case "ContentStatement":
      return [(statement as hbs.AST.ContentStatement).value];
    case "CommentStatement":
      return [];
    case "MustacheStatement":
      return [{ value: nameOf((statement as hbs.AST.MustacheStatement).path) }];
    case "BlockStatement": {
      const { path, params, program, inverse } = statement as hbs.AST.BlockStatement;
      if (nameOf(path) !== "if") break;
      return [{ condition: nameOf(params[0]), met: partsOf(program), unmet: partsOf(inverse) }];
    }
  }
  throw new Error(
    `templates: only {{name}} and {{#if name}}, not ${statement.type} in line ${statement.loc.start.line}`,
  );
}

function nameOf(expression: hbs.AST.Expression | undefined): string {
  return (expression as hbs.AST.PathExpression).original;
}
