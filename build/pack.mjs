// Two files for the tool instead of hundreds of modules. Node resolves, reads and links each module by itself, which is
// most of a short command's time, and V8 can keep compiled code for a script (bin/load-tool.js), but on Node 20 not for modules.
// Each chunk of the bundle becomes a function, which runs when something first needs the chunk. The rooms of the server are
// four fifths of the text: they are a file of their own, which most commands do not read.
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { parseSync } from "oxc-parser";

/**
 * Returns the text of a pack, a script. It yields a function of `require`, `import`, the URL of the pack and a function that
 * loads a chunk of the other pack, which returns the function that loads a chunk by its name. `chunks` are the texts of ES
 * modules by their names.
 */
export function packChunks(chunks) {
  const functions = [...chunks].map(([name, text]) => `${JSON.stringify(name)}() {\n${chunkFunction(name, text)}}`);
  const text = toAscii(`(($require, $import, url, $loadOther) => {
"use strict";
const $meta = { url };
const $loaded = new Map();
const $load = (name) => {
  if (!$chunks[name]) return $loadOther(name);
  let exported = $loaded.get(name);
  if (!exported) $loaded.set(name, (exported = $chunks[name]()));
  return exported;
};
const $loadLater = async (name) => $load(name);
const $chunks = {
${functions.join(",\n")}
};
return $load;
});
`);
  // bin/load-tool.js keeps compiled code by this name.
  return `/* ${createHash("sha256").update(text).digest("hex").slice(0, 16)} */\n${text}`;
}

/** Returns a module that gives the exports of a chunk to those who import it from the package. */
export function facadeOf(name, text) {
  const names = exportsOf(parse(name, text).program).map(({ exported }) => exported);
  const up = "../".repeat(name.split("/").length);
  return `import { loadTool } from "${up}bin/load-tool.js";
export const { ${names.join(", ")} } = loadTool("${posix.dirname(name)}")(${JSON.stringify(name)});
`;
}

/**
 * Replaces the imports of Node's own modules in a module. An import reads everything that a module exports: for
 * node:http, Node 22 and later load undici, and for node:util the workers.
 */
export function replaceBuiltinImports(name, text) {
  const imports = parse(name, text).program.body.filter(({ source }) => source?.value.startsWith("node:"));
  const edits = imports.map((node) => [node, importsOf(node, `process.getBuiltinModule("${node.source.value}")`)]);
  return edit(text, edits);
}

/** Replaces imports and exports, which only a module can have. No exported binding changes after its chunk has run. */
function chunkFunction(name, text) {
  const { program, module } = parse(name, text);
  const edits = program.body.flatMap((node) => {
    if (node.type === "ImportDeclaration") return [[node, importsOf(node, loaderOf(node, name))]];
    return node.type === "ExportNamedDeclaration" ? [[node, ""]] : [];
  });
  for (const node of module.dynamicImports) {
    const path = /^"(\..*)"$/.exec(text.slice(node.moduleRequest.start, node.moduleRequest.end))?.[1];
    if (path) edits.push([node, `$loadLater(${JSON.stringify(chunkName(name, path))})`]);
    // Code that V8 has kept knows no importer (ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING).
    else edits.push([{ start: node.start, end: node.start + "import".length }, "$import"]);
  }
  for (const node of module.importMetas) edits.push([node, "$meta"]);
  const exported = exportsOf(program).map((each) => `${each.exported}: ${each.local}`);
  return `${edit(text, edits)}\nreturn { ${exported.join(", ")} };\n`;
}

/** Replaces nodes of a text by others. */
function edit(text, edits) {
  let changed = text;
  for (const [{ start, end }, replacement] of edits.toSorted(([a], [b]) => b.start - a.start))
    changed = changed.slice(0, start) + replacement + changed.slice(end);
  return changed;
}

function parse(name, text) {
  const result = parseSync(name, text, { lang: "js", sourceType: "module" });
  if (result.errors.length > 0) throw new Error(`${name}: ${result.errors[0].message}`);
  return result;
}

function loaderOf({ source: { value } }, name) {
  return value.startsWith(".") ? `$load("${chunkName(name, value)}")` : `$require("${value}")`;
}

/** The functions that a simulation replaces while it runs (src/simulation/realm/virtual-globals.ts): they are read at each call. */
const replaced = /^node:(timers(\/promises)?:set|crypto:random)/;

/** Returns the declarations of the names that a node imports, `from` an expression that yields the module. */
function importsOf({ specifiers, source }, from) {
  const isReplaced = ({ imported }) => replaced.test(`${source.value}:${imported.name}`);
  const allNamed = specifiers.filter(({ type }) => type === "ImportSpecifier");
  const named = allNamed.filter((each) => !isReplaced(each));
  const whole = specifiers.filter(({ type }) => type !== "ImportSpecifier");
  // The default export of a built-in module is the module.
  const lines = whole.map(({ local }) => `const ${local.name} = ${from};`);
  const names = named.map(({ imported, local }) => `${imported.name}: ${local.name}`);
  for (const { imported, local } of allNamed.filter(isReplaced))
    lines.push(`const ${local.name} = (($from) => (...$args) => $from.${imported.name}(...$args))(${from});`);
  if (named.length > 0) lines.push(`const { ${names.join(", ")} } = ${from};`);
  return specifiers.length > 0 ? lines.join(" ") : `${from};`;
}

/** The bundler writes one list of exports at the end of a chunk. */
function exportsOf(program) {
  return program.body.flatMap((node) => {
    if (!node.type.startsWith("Export")) return [];
    if (node.type !== "ExportNamedDeclaration" || node.declaration || node.source)
      throw new Error(`the bundler wrote ${node.type} in a form that is not known here`);
    return node.specifiers.map(({ exported, local }) => ({ exported: exported.name, local: local.name }));
  });
}

function chunkName(from, path) {
  return posix.join(posix.dirname(from), path);
}

/** Reading text of one byte a character costs nothing. */
function toAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
