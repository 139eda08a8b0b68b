import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseYamlDocuments } from "../../src/apimachinery/yaml/parse.ts";
import { compareSchemas, type SchemaChange } from "../../src/apimachinery/crd/compare-schemas.ts";
import { typesFromCrd } from "../../src/codegen/from-crd/types-from-crd.ts";
import { loadProjectTypes } from "../../src/codegen/run-generators.ts";
import { convertV1beta1 } from "../../src/apimachinery/crd/convert-v1beta1.ts";
import type { CustomResourceDefinition } from "../../src/apimachinery/crd/crd-types.ts";
import { DiagnosticsError } from "../../src/errors/diagnostic.ts";
import { memoryDisk } from "../../src/files/memory-disk.ts";

interface Options {
  readonly root: string;
  readonly work: string;
  readonly folder: string;
  readonly details: boolean;
}

/** Checks all CRDs of a folder; returns the exit code. */
export async function roundTrip({ root, work, folder, details }: Options): Promise<number> {
  const crds = readCrds(folder);
  const reasons = new Map<string, string[]>();
  let equal = 0;
  for (const [index, crd] of crds.entries()) {
    const found = await differences(crd, join(work, "types", String(index)));
    if (found.length === 0) equal++;
    const own = new Set(found.map(reasonOf));
    for (const reason of own) reasons.set(reason, [...(reasons.get(reason) ?? []), crd.metadata.name]);
    if (details) for (const one of found) console.log(crd.metadata.name, JSON.stringify(one).slice(0, 600));
  }
  const versions = crds.reduce((sum, { spec }) => sum + spec.versions.length, 0);
  const share = ((100 * equal) / crds.length).toFixed(1);
  console.log(`${crds.length} CRDs with ${versions} versions; equal: ${equal} (${share} %)`);
  for (const [reason, names] of [...reasons].sort(([, a], [, b]) => b.length - a.length))
    console.log(`${String(names.length).padStart(4)}  ${reason}: ${names.slice(0, 4).join(", ")}`);
  return compile(root, work);
}

/** Reads every CRD once, in the order of names. Files that are not YAML are templates, which their own tool renders. */
function readCrds(folder: string): CustomResourceDefinition[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.(ya?ml|json)$/.test(path),
  );
  const found = new Map<string, CustomResourceDefinition>();
  let unread = 0;
  for (const path of paths) {
    let documents: unknown[];
    try {
      documents = parseYamlDocuments(readFileSync(join(folder, path), "utf8"));
    } catch {
      unread++;
      continue;
    }
    for (const document of documents as CustomResourceDefinition[])
      if (document?.kind === "CustomResourceDefinition") found.set(document.metadata.name, convertV1beta1(document));
  }
  if (unread > 0) console.log(`${unread} files are not YAML and were skipped`);
  return [...found.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

type Difference = SchemaChange | { readonly error: string };

async function differences(crd: CustomResourceDefinition, folder: string): Promise<Difference[]> {
  const files = typesFromCrd(crd, "api");
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  // Without its marker, the kind is one of the project.
  const texts = files.map(({ path, text }) => [`/p/${path}`, text.replace("// +tsop:external\n", "")] as const);
  try {
    const disk = memoryDisk(Object.fromEntries(texts));
    const { resources } = await loadProjectTypes({ root: "/p", disk, forCrds: false });
    return crd.spec.versions.flatMap(({ name, schema }) => {
      const made = resources[0]?.versions.find((version) => version.name === name);
      if (!made) return [{ error: `no version ${name}` }];
      return schema?.openAPIV3Schema ? compareSchemas(schema.openAPIV3Schema, made.schema) : [];
    });
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return error.diagnostics.map(({ message, line }) => ({ error: `${message} (line ${line})` }));
  }
}

function reasonOf(difference: Difference): string {
  if ("error" in difference) return difference.error.replace(/^\S+: /, "").slice(0, 80);
  const place = difference.path.startsWith("metadata") ? "metadata" : "a field";
  return `${difference.what} of ${place}`;
}

/** Compiles all types in strict mode. */
function compile(root: string, work: string): number {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    moduleResolution: "nodenext",
    target: "es2022",
    skipLibCheck: true,
    types: [],
    paths: { tsop: [join(root, "src/apimachinery/meta.ts")] },
  };
  writeFileSync(join(work, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(work, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true }, include: ["types"] }),
  );
  const { status, stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", work], {
    encoding: "utf8",
    timeout: 300_000,
  });
  console.log(status === 0 ? "all types compile" : stdout.split("\n").slice(0, 20).join("\n"));
  return status ?? 1;
}
