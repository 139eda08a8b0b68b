// `npm run build`: declarations by tsc, code by esbuild. Modules are most of a short command's time, so the code is
// bundled, with chunks for modules that are imported lazily; those of the tool are packed into one file (pack.mjs). The
// library and the tool are two bundles: their common modules would otherwise be 20 small files, each of which
// `import "tsop"` would load.
// `npm run dev` (--watch) does the same on every change.
import { execFileSync, spawn } from "node:child_process";
import { isBuiltin } from "node:module";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import "./k8s-types.mjs";
import { facadeOf, packChunks, replaceBuiltinImports } from "./pack.mjs";

const watch = process.argv.includes("--watch");
const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));

/** The entries that an operator imports. */
const library = ["index.ts", "client-node.ts", "yaml.ts", ...filesBelow("src", "k8s")];
/** The other exports of package.json, the server for the benchmarks, and the thread of simulations. */
const facades = ["testing/index", "codegen/index", "sandbox/start-sandbox", "simulation/worker"];
/** The other modules that bin loads. */
const tool = [...facades, "cli/main", "cli/commands/envtest-program", "cli/terminal/real-io"];
/** The rooms whose code no operator imports. */
const roomsOfTool = ["check", "cli", "codegen", "local", "olm", "project", "sandbox", "simulation"];
/** The rooms that only a command with a server needs. */
const ofServer = /^src\/(apiserver|check|local|runtime|sandbox|simulation|testing)\//;
const bundled = new Set();

/** Small packages on the path of most commands are devDependencies: they become a part of the bundle. */
const bundle = (entries) => ({
  entryPoints: entries.map((path) => join("src", path)),
  outdir: "dist",
  outbase: "src",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: [...Object.keys(dependencies), "esbuild", "@kubernetes/client-node", "@oxc-parser/*"],
  metafile: true,
  logLevel: "warning",
  plugins: [
    { name: "builtins", setup: importBuiltins },
    { name: "parser", setup: importParser },
    { name: "packages", setup: shrinkPackages },
    { name: "templates", setup: freezeTemplates },
    { name: "licences", setup: writeLicences },
  ],
});

/** The page of `--ui`: static files for a browser, which the tool only serves. */
const page = {
  entryPoints: ["src/local/ui/main.tsx"],
  outfile: "dist/ui/app.js",
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: ["chrome110", "firefox115", "safari16.4"],
  jsx: "automatic",
  jsxImportSource: "preact",
  metafile: true,
  logLevel: "warning",
  plugins: [
    { name: "licences", setup: writeLicences },
    { name: "page files", setup: copyPageFiles },
  ],
};
const libraryBundle = bundle(library);
libraryBundle.write = false;
libraryBundle.plugins.push({ name: "errors", setup: leaveErrorsOfTool }, { name: "modules", setup: writeLibrary });
const packed = bundle(tool.map((name) => `${name}.ts`));
packed.write = false;
packed.plugins.push({ name: "pack", setup: writePack });
const bundles = [libraryBundle, packed, page];

if (!watch) rmSync("dist", { recursive: true, force: true });
// `npm run check` finds wrong types: to look for them here as well takes two thirds of a build.
const declared = compile(
  "-p",
  "tsconfig.build.json",
  ...(watch ? ["--watch", "--preserveWatchOutput"] : ["--noCheck"]),
);
// One after the other, as each makes the templates.
for (const options of bundles) {
  if (watch) await (await esbuild.context(options)).watch();
  else await esbuild.build(options);
}
process.exitCode = await declared;

/** Leaves the errors of the tool's rooms out of the library, which would load 35 kB of texts for nothing. */
function leaveErrorsOfTool(build) {
  const rooms = roomsOfTool.join("|");
  build.onLoad({ filter: new RegExp(`[/\\\\]errors[/\\\\]catalogue[/\\\\](${rooms})\\.ts$`) }, ({ path }) => ({
    contents: `export const ${basename(path, ".ts")}Errors = {};`,
  }));
  build.onEnd(({ metafile }) => {
    const ofTool = Object.keys(metafile?.inputs ?? {}).filter((path) => new RegExp(`^src/(${rooms})/`).test(path));
    return { errors: ofTool.map((path) => ({ text: `the library contains ${path}, without the errors of its room` })) };
  });
}

/** Turns a CommonJS package's `require` of Node's modules into imports, since a module has no `require`. */
function importBuiltins(build) {
  // Commander starts programs for subcommands of a kind that tsop has not; the module would be loaded for nothing.
  build.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
    /[/\\]node_modules[/\\]commander[/\\]/.test(importer) ? { path, namespace: "unused" } : undefined,
  );
  build.onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "" }));
  build.onResolve({ filter: /^[a-z:_/]+$/ }, ({ path, kind }) =>
    kind === "require-call" && isBuiltin(path) ? { path, namespace: "builtin" } : undefined,
  );
  build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
    contents: `import builtin from "${path}"; module.exports = builtin;`,
  }));
}

/**
 * The parser's own code, without its visitors, becomes a part of ours: to load its module takes five times as long as its
 * native program. Its package knows where that one is. `$require` is the pack's.
 */
function importParser(build) {
  build.onResolve({ filter: /^oxc-parser$/ }, () => ({ path: "parser", namespace: "parser" }));
  build.onLoad({ filter: /.*/, namespace: "parser" }, () => ({
    contents: `import * as native from "./bindings.js";
      import { wrap } from "./wrap.js";
      export const parseSync = (...args) => wrap(native.parseSync(...args));`,
    resolveDir: resolve("node_modules/oxc-parser/src-js"),
  }));
  build.onLoad({ filter: /[/\\]oxc-parser[/\\]src-js[/\\]bindings\.js$/ }, ({ path }) => {
    const [imported, required] = ["import { createRequire } from 'module'", "createRequire(import.meta.url)"];
    const text = readFileSync(path, "utf8");
    if (![imported, required].every((part) => text.includes(part))) throw new Error(`${path} is not as expected`);
    const inPackage = `(name) => $require($require.resolve(name, { paths: [$require.resolve("oxc-parser")] }))`;
    return { contents: text.replace(imported, "").replace(required, inPackage) };
  });
}

/** Our own code stays readable in stack traces; that of packages is half the size without its comments. */
function shrinkPackages(build) {
  build.onLoad({ filter: /[/\\]node_modules[/\\].*\.m?js$/ }, async ({ path }) => {
    const { code } = await esbuild.transform(readFileSync(path, "utf8"), { minify: true, legalComments: "none" });
    return { contents: code };
  });
}

/** Replaces src/project/scaffold/templates/load-templates.ts by what it answers, a chunk for each tree. */
async function freezeTemplates(build) {
  const outfile = resolve("dist/load-templates.mjs");
  const source = "src/project/scaffold/templates/load-templates.ts";
  await esbuild.build({
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
  const { loadTemplates } = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  const disk = { list: async (folder) => filesBelow(folder), read: async (path) => readFileSync(path, "utf8") };
  const trees = readdirSync("templates");

  build.onLoad({ filter: /[/\\]scaffold[/\\]templates[/\\]load-templates\.ts$/ }, () => ({
    contents: `const trees = { ${trees.map((tree) => `"${tree}": () => import("templates:${tree}")`).join(", ")} };
      export const loadTemplates = async (disk, tree) => (await trees[tree]()).default;`,
    watchFiles: filesBelow("templates").map((path) => resolve("templates", path)),
  }));
  build.onResolve({ filter: /^templates:/ }, ({ path }) => ({
    path: path.slice("templates:".length),
    namespace: "templates",
  }));
  build.onLoad({ filter: /.*/, namespace: "templates" }, async ({ path: tree }) => ({
    contents: JSON.stringify(await loadTemplates(disk, tree)),
    loader: "json",
    watchFiles: filesBelow("templates", tree).map((path) => resolve("templates", path)),
  }));
}

function writeLibrary(build) {
  build.onEnd(({ outputFiles }) => {
    for (const { path, text } of outputFiles ?? []) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, replaceBuiltinImports(path, text));
    }
  });
}

function writePack(build) {
  build.onEnd(({ outputFiles, metafile }) => {
    const chunks = new Map(outputFiles?.map(({ path, text }) => [withSlashes(relative("dist", path)), text]));
    if (chunks.size === 0) return;
    const isOfServer = (name) =>
      Object.keys(metafile.outputs[`dist/${name}`].inputs).some((path) => ofServer.test(path));
    for (const pack of ["tool", "server"]) {
      const own = [...chunks].filter(([name]) => isOfServer(name) === (pack === "server"));
      writeFileSync(`dist/${pack}.cjs`, packChunks(new Map(own)));
    }
    for (const name of facades.map((each) => `${each}.js`)) {
      mkdirSync(dirname(join("dist", name)), { recursive: true });
      writeFileSync(join("dist", name), facadeOf(name, chunks.get(name)));
    }
    const version = execFileSync(process.execPath, ["bin/tsop.js", "version", "--output", "text"], {
      encoding: "utf8",
    });
    writeFileSync("dist/version.txt", version.replace(process.version, "NODE"));
  });
}

function copyPageFiles(build) {
  build.onEnd(() => {
    for (const name of ["index.html", "app.css", "icon.svg"]) cpSync(join("src/local/ui", name), join("dist/ui", name));
  });
}

/** The packages that became a part of the code keep their licences. */
function writeLicences(build) {
  build.onEnd(({ metafile }) => {
    for (const path of Object.keys(metafile?.inputs ?? {})) {
      const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
      if (name) bundled.add(name);
    }
    const texts = [...bundled].toSorted().map((name) => {
      const folder = join("node_modules", name);
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (!file) throw new Error(`${name} is bundled, but has no licence to go with it`);
      return `${name}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    });
    writeFileSync("dist/LICENSES.txt", `Packages that are a part of this code:\n\n${texts.join("\n\n")}`);
    writeFileSync("dist/sbom.cdx.json", billOfMaterials([...bundled].toSorted()));
  });
}

/** Lists the packages that became a part of the code, and those that are installed with it, in CycloneDX. */
function billOfMaterials(parts) {
  const { name, version, license, dependencies: installed } = JSON.parse(readFileSync("package.json", "utf8"));
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const component = (each) => {
    const { version, license, integrity = "" } = lock.packages[`node_modules/${each}`];
    const [algorithm, hash = ""] = integrity.split("-");
    return {
      type: "library",
      name: each,
      version,
      scope: "required",
      ...(license && { licenses: [{ expression: license }] }),
      ...(hash && {
        hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(hash, "base64").toString("hex") }],
      }),
      purl: `pkg:npm/${each.replace("@", "%40")}@${version}`,
    };
  };
  const components = [...new Set([...parts, ...Object.keys(installed)])].toSorted().map(component);
  const own = { type: "application", name, version, licenses: [{ expression: license }] };
  const document = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata: { component: own }, components };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Paths relative to `root`, sorted. */
function filesBelow(root, folder = "") {
  const found = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  return files.map((entry) => withSlashes(relative(root, join(entry.parentPath, entry.name)))).toSorted();
}

function withSlashes(path) {
  return path.replaceAll(sep, "/");
}

function compile(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["node_modules/typescript/bin/tsc", ...args], { stdio: "inherit" });
    child.on("error", reject).on("exit", (code) => resolve(code ?? 1));
  });
}
