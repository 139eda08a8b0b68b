import { dirname } from "node:path/posix";
import { relativeImport } from "./relative-import.ts";
import type { Draft } from "./draft.ts";
import { insertAtPoint } from "./scaffold-points.ts";

/** A file that imports things and sets them up: main.ts, webhooks/setup.ts. */
export interface SetUpFile {
  readonly path: string;
  /** The scaffold point of the statements; imports go to `imports`. */
  readonly point: string;
}

export const mainFile: SetUpFile = { path: "main.ts", point: "builder" };
export const webhooksFile: SetUpFile = { path: "webhooks/setup.ts", point: "webhooks" };
/** What serves all webhooks in tests. */
export const webhookSuite = "webhooks/suite.ts";

/** Something that a file imports and sets up. */
export interface SetUpEntry {
  /** What the module exports. */
  readonly name: string;
  readonly module: string;
  /** In front of the name where another thing has that name already: another group's, another version's. */
  readonly prefix: string;
  /** The statement that sets it up, by the name that it has in the file. */
  readonly setup: (local: string) => string;
}

/** Adds an import and a statement. */
export async function addSetUp(draft: Draft, { path, point }: SetUpFile, entry: SetUpEntry): Promise<void> {
  const specifier = relativeImport(dirname(path), entry.module);
  await draft.change(path, (text) => {
    const local = importedName(text, specifier) ?? freeName(text, entry);
    const names = local === entry.name ? local : `${entry.name} as ${local}`;
    const imported = insertAtPoint(text, { path, name: "imports" }, `import { ${names} } from "${specifier}";`);
    return insertAtPoint(imported, { path, name: point }, entry.setup(local));
  });
}

/** Takes the import of a module out, and the statement that uses what it imported. */
export async function removeSetUp(draft: Draft, { path }: SetUpFile, module: string): Promise<void> {
  if ((await draft.read(path)) === undefined) return;
  const specifier = relativeImport(dirname(path), module);
  await draft.change(path, (text) => {
    const local = importedName(text, specifier);
    return local === undefined ? text : text.replace(importOf(specifier), "").replace(statementWith(local), "");
  });
}

function importedName(text: string, specifier: string): string | undefined {
  return importOf(specifier).exec(text)?.[1];
}

function importOf(specifier: string): RegExp {
  const path = specifier.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^import \\{ (?:\\w+ as )?(\\w+) \\} from "${path}";\\n`, "m");
}

/** From the line that mentions the name to the one that ends its statement. */
function statementWith(local: string): RegExp {
  return new RegExp(`^[^\\n;]*\\b${local}\\([^;]*;\\n`, "m");
}

function freeName(text: string, { name, prefix }: SetUpEntry): string {
  return new RegExp(`^import \\{ (?:\\w+ as )?${name} \\}`, "m").test(text) ? prefix + name : name;
}
