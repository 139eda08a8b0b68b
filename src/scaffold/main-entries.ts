import type { Draft } from "./draft.ts";
import { insertAtPoint } from "./scaffold-points.ts";

/** Something that main.ts imports and sets up. */
export interface MainEntry {
  /** What the file exports. */
  readonly name: string;
  readonly file: string;
  /** In front of the name where main.ts has another thing of that name already: another group's, another version's. */
  readonly prefix: string;
  /** The statement that sets it up, by the name that it has in main.ts. */
  readonly setup: (local: string) => string;
}

const main = "main.ts";

/** Adds an import and a statement to main.ts. */
export async function addMainEntry(draft: Draft, entry: MainEntry): Promise<void> {
  await draft.change(main, (text) => {
    const local = importedName(text, entry.file) ?? freeName(text, entry);
    const names = local === entry.name ? local : `${entry.name} as ${local}`;
    const imports = `import { ${names} } from "./${entry.file}";`;
    const imported = insertAtPoint(text, { path: main, name: "imports" }, imports);
    return insertAtPoint(imported, { path: main, name: "builder" }, entry.setup(local));
  });
}

/** Takes the import of a file out of main.ts, and the statements that use what it imported. */
export async function removeMainEntry(draft: Draft, file: string): Promise<void> {
  if ((await draft.read(main)) === undefined) return;
  await draft.change(main, (text) => {
    const local = importedName(text, file);
    if (local === undefined) return text;
    const withoutImport = text.replace(importOf(file), "");
    return withoutImport.replace(statementWith(local), "");
  });
}

function importedName(text: string, file: string): string | undefined {
  return importOf(file).exec(text)?.[1];
}

function importOf(file: string): RegExp {
  const path = file.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^import \\{ (?:\\w+ as )?(\\w+) \\} from "\\./${path}";\\n`, "m");
}

/** From the line that mentions the name to the one that ends its statement. */
function statementWith(local: string): RegExp {
  return new RegExp(`^[^\\n;]*\\b${local}\\([^;]*;\\n`, "m");
}

function freeName(text: string, { name, prefix }: MainEntry): string {
  return new RegExp(`^import \\{ (?:\\w+ as )?${name} \\}`, "m").test(text) ? prefix + name : name;
}
