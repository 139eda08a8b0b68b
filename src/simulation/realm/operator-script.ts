import { Script } from "node:vm";
import { parseSync } from "oxc-parser";

/** What a program sees of its surroundings, in place of the names in a process. */
export interface ProgramScope {
  readonly process: object;
  readonly console: object;
  readonly require: (name: string) => unknown;
  readonly globalThis: object;
  /** Globals that throw, because they reach beyond the simulation. */
  readonly blocked: Readonly<Record<(typeof blockedGlobals)[number], unknown>>;
}

/** The globals that reach beyond the simulation. */
export const blockedGlobals = ["fetch", "WebSocket", "EventSource", "BroadcastChannel", "MessageChannel"] as const;

/** Runs a program from its start; settles when the code at its top level has ended. */
export type Program = (scope: ProgramScope) => Promise<void>;

/**
 * Turns a bundle of an operator, an ES module, into a script: a function that can be called again and again, each time as a
 * new program, while V8 compiles it once. The lines stay the same.
 */
export function scriptOf(file: string, text: string): string {
  const { program, module, errors } = parseSync(file, text, { lang: "js", sourceType: "module" });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const edits: (readonly [start: number, end: number, replacement: string])[] = [];
  for (const node of program.body) {
    if (node.type === "ImportDeclaration") edits.push([node.start, node.end, requireOf(node)]);
    else if (node.type === "ExportNamedDeclaration" && !node.declaration) edits.push([node.start, node.end, ""]);
    else if (node.type.startsWith("Export")) throw new Error(`${file}: a main.ts exports nothing`);
  }
  for (const { start } of module.dynamicImports) edits.push([start, start + "import".length, "$import"]);
  for (const { start, end } of module.importMetas) edits.push([start, end, "$meta"]);
  let code = text;
  for (const [start, end, replacement] of edits.toSorted(([a], [b]) => b - a))
    code = code.slice(0, start) + replacement + code.slice(end);
  // The block lets the program declare these names, too.
  const scope = `{ process, console, require, $require, globalThis, global, ${blockedGlobals.join(", ")}, $import, $meta }`;
  return `(() => { "use strict"; return async function (${scope}) { { ${code}\n} }; })()`;
}

interface Import {
  readonly source: { readonly value: string };
  readonly specifiers: readonly {
    readonly type: string;
    readonly local: { readonly name: string };
    readonly imported?: { readonly name?: string; readonly value?: string };
  }[];
}

function requireOf({ source, specifiers }: Import): string {
  // A program may declare `require` itself.
  const from = `$require(${JSON.stringify(source.value)})`;
  const whole = specifiers
    .filter(({ type }) => type !== "ImportSpecifier")
    .map(({ local }) => `${local.name} = ${from}`);
  const named = specifiers
    .filter(({ type }) => type === "ImportSpecifier")
    .map(({ imported, local }) => `${JSON.stringify(imported?.name ?? imported?.value)}: ${local.name}`);
  const bindings = named.length > 0 ? [...whole, `{ ${named.join(", ")} } = ${from}`] : whole;
  return bindings.length > 0 ? `const ${bindings.join(", ")};` : `${from};`;
}

/** Compiles a script of `scriptOf`. */
export function compileProgram(file: string, script: string): Program {
  const run = new Script(script, { filename: file }).runInThisContext() as (scope: object) => Promise<void>;
  const $meta = { url: `file://${file}`, filename: file, dirname: file.replace(/\/[^/]*$/, "") };
  return (scope) => {
    const $import = async (name: string): Promise<object> => {
      const module = scope.require(name) as object;
      return { ...module, default: module };
    };
    return run({ ...scope, ...scope.blocked, global: scope.globalThis, $require: scope.require, $import, $meta });
  };
}
