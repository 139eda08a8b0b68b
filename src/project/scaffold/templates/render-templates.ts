import type { Disk } from "../../../files/disk.ts";
import { loadTemplates, type TemplatePart } from "./load-templates.ts";

/** The values that templates can use. */
export type TemplateContext = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface RenderedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Renders a tree of `templates/`. A template's path is the path of the output, with `dot-` replaced by a dot and
 * `__name__` by the value of that name. Files ending in `.hbs` are rendered, others are copied. Folders that start with
 * `+` are optional parts, rendered only if listed.
 */
export async function renderTemplates(
  disk: Pick<Disk, "list" | "read">,
  tree: string,
  parts: readonly string[],
  context: TemplateContext,
): Promise<RenderedFile[]> {
  const templates = await loadTemplates(disk, tree);
  if (templates.length === 0) throw new Error(`templates: nothing in ${tree}`);
  return templates.flatMap((template) => {
    const { part, rest } = splitPart(template.path);
    if (part !== undefined && !parts.includes(part)) return [];
    return { path: outputPath(rest, context), text: render(template.parts, context) };
  });
}

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

/** A value that the context lacks is a misspelled name; a condition may be absent. */
function render(parts: readonly TemplatePart[], context: TemplateContext): string {
  const texts = parts.map((part) => {
    if (typeof part === "string") return part;
    if ("condition" in part) return render(context[part.condition] ? part.met : part.unmet, context);
    const value = context[part.value];
    if (value === undefined) throw new Error(`templates: unknown name {{${part.value}}}`);
    return String(value);
  });
  return texts.join("");
}
