import { dirname } from "node:path/posix";
import { relativeImport } from "./relative-import.ts";
import type { Draft } from "./draft.ts";
import { insertAtPoint } from "./scaffold-points.ts";

/** A file that imports modules and sets them up: main.ts, webhooks/setup.ts. */
export interface SetUpFile {
  readonly path: string;
  /** The scaffold point of the statements; imports go to `imports`. */
  readonly point: string;
}

export const mainFile: SetUpFile = { path: "main.ts", point: "builder" };
export const webhooksFile: SetUpFile = { path: "webhooks/setup.ts", point: "webhooks" };
/** The module that serves all webhooks in tests. */
export const webhookSuite = "webhooks/suite.ts";

/** A module that a file imports and sets up. */
export interface SetUpEntry {
  /** The export of the module. */
  readonly name: string;
  readonly module: string;
  /** A prefix for the name if another group or version already uses it. */
  readonly prefix: string;
  /** Renders the statement that sets it up, given its local name. */
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

/** Removes the import of a module and the statement that uses it. */
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

/** Matches a statement from the line with the name to its end. */
function statementWith(local: string): RegExp {
  return new RegExp(`^[^\\n;]*\\b${local}\\([^;]*;\\n`, "m");
}

function freeName(text: string, { name, prefix }: SetUpEntry): string {
  return new RegExp(`^import \\{ (?:\\w+ as )?${name} \\}`, "m").test(text) ? prefix + name : name;
}
