import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Handlebars from "handlebars";
import type { Disk } from "../files/disk.ts";

/** A value of a template; templates know `{{name}}`, `{{#if name}}` and `{{#each name}}`, nothing else. */
export type TemplateContext = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface RenderedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Renders a tree of `templates/`. A path in there is a path in the output: `dot-` becomes a dot, `__name__` the value of
 * that name, `.hbs` is rendered and all else copied. Folders that start with `+` are parts, rendered only if listed.
 */
export async function renderTemplates(
  disk: Pick<Disk, "list" | "read">,
  tree: string,
  parts: readonly string[],
  context: TemplateContext,
): Promise<RenderedFile[]> {
  const root = join(templates, tree);
  const listed = (await disk.list(root)).map((path) => ({ path, ...splitPart(path) }));
  if (listed.length === 0) throw new Error(`templates: nothing at ${root}`);
  const wanted = listed.filter(({ part }) => part === undefined || parts.includes(part));
  return Promise.all(
    wanted.map(async ({ path, rest }) => {
      const text = (await disk.read(join(root, path)))!;
      return { path: outputPath(rest, context), text: rest.endsWith(".hbs") ? render(text, context) : text };
    }),
  );
}

const templates = fileURLToPath(new URL("../../templates", import.meta.url));

function splitPart(path: string): { part: string | undefined; rest: string } {
  const match = /^\+([^/]+)\/(.+)$/.exec(path);
  return { part: match?.[1], rest: match?.[2] ?? path };
}

function outputPath(path: string, context: TemplateContext): string {
  const named = path.replace(/__([a-zA-Z]+)__/g, (token, name: string) => {
    const value = context[name];
    if (typeof value !== "string") throw new Error(`templates: unknown token ${token} in ${path}`);
    return value;
  });
  const visible = named.split("/").map((name) => name.replace(/^dot-/, "."));
  return visible.join("/").slice(0, named.endsWith(".hbs") ? -".hbs".length : undefined);
}

/** `strict` catches a misspelt name; without `noEscape`, `Array<string>` would become `Array&lt;string&gt;`. */
function render(text: string, context: TemplateContext): string {
  return Handlebars.compile<TemplateContext>(text, { noEscape: true, strict: true })(context);
}
