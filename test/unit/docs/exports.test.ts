import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runNode } from "./run-node.ts";

// Whoever hovers over a name of the library in an editor reads what it is for; and the examples there are code that compiles.
// An example is a module of its own. It may use every export, the Kinds of core/v1 and apps/v1, and the names of `scope`.

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What an operator's file would have above the lines of an example. */
const scope = `
import type { AdmissionHandler, Client, Condition, Kind, KubeObject, Manager, ReconcileContext, Reconciler, Request } from "tsop";
import type { ConfigMap, Pod, Secret } from "tsop/k8s/core/v1";
import type { Deployment } from "tsop/k8s/apps/v1";
export declare const deployment: Deployment, configMap: ConfigMap, pod: Pod, secret: Secret;
export interface Memcached extends KubeObject { spec: { size?: number }; status?: { conditions?: Condition[]; nodes?: string[] } }
export declare const Memcached: Kind<Memcached>;
export interface MemcachedV1 extends KubeObject { spec: { replicas?: number } }
export declare const MemcachedV1: Kind<MemcachedV1>;
export declare const memcached: Memcached;
export declare const request: Request;
export declare const ctx: ReconcileContext;
export declare const reconciler: Reconciler;
export declare const mgr: Manager;
export declare const client: Client;
export declare const cert: string;
export declare const key: string;
export declare const addSidecar: AdmissionHandler, addLabels: AdmissionHandler, checkImages: AdmissionHandler, checkLimits: AdmissionHandler;
`;
const modules: readonly { readonly from: string; readonly names: readonly string[] }[] = [
  {
    from: "./scope.ts",
    names: [...scope.matchAll(/(?:interface|const|,) (\w+)(?= extends|:)/g)].map(([, name]) => name!),
  },
  { from: "tsop/k8s/core/v1", names: ["ConfigMap", "Pod", "Secret"] },
  { from: "tsop/k8s/apps/v1", names: ["Deployment"] },
  { from: "node:https", names: ["createServer"] },
];
const entries = [
  { from: "tsop", path: "src/index.ts" },
  { from: "tsop/codegen", path: "src/codegen/index.ts" },
];

interface Export {
  readonly name: string;
  /** The entry of the package that has it. */
  readonly from: string;
  readonly file: string;
  /** The comment right before its declaration. */
  readonly doc: string | undefined;
}

const exported = (await Promise.all(entries.map(({ from, path }) => exportsOf(from, path)))).flat();
const withExample = exported.filter(({ doc }) => doc?.includes("@example"));

describe("what tsop and tsop/codegen export", () => {
  it("say what it is for", () => {
    expect(exported.length).toBeGreaterThan(200);
    expect(exported.filter(({ doc }) => !doc).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  describe("show examples", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "tsop-examples-"));
      await symlink(join(root, "node_modules"), join(folder, "node_modules"));
      await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(await configuration()));
      await writeFile(join(folder, "scope.ts"), scope);
      for (const { from, name, doc } of withExample) await writeFile(join(folder, `${name}.ts`), moduleOf(doc!, from));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it(`that compile, of ${withExample.length} names`, { timeout: 60_000 }, async () => {
      expect(withExample.length).toBeGreaterThan(0);
      expect(await runNode("typescript/bin/tsc", ["-p", folder], folder)).toEqual({ code: 0, output: "" });
    });
  });
});

async function exportsOf(from: string, entry: string): Promise<Export[]> {
  const text = await readFile(join(root, entry), "utf8");
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "(\..*?)";/gm)];
  const found = await Promise.all(
    lists.map(async ([, names = "", file = ""]) => {
      const source = await readFile(join(root, dirname(entry), file), "utf8");
      return names
        .split(",")
        .map((each) => each.trim().replace(/^type /, ""))
        .filter((each) => each !== "")
        .map((name) => ({ name, from, file, doc: docOf(name, source) }));
    }),
  );
  return found.flat();
}

/** A type and a constant of one name are one thing: either may have the comment. */
function docOf(name: string, source: string): string | undefined {
  const declaration = new RegExp(
    `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*export (?:abstract |async )?(?:const|function|class|interface|type) ${name}\\b`,
  );
  return declaration.exec(source)?.[1]?.trim();
}

function moduleOf(doc: string, entry: string): string {
  const lines = doc.slice(doc.indexOf("@example")).split("\n").slice(1);
  const code = lines.map((line) => line.replace(/^\s*\* ?/, "")).join("\n");
  const own = exported.filter(({ from }) => from === entry).map(({ name }) => name);
  const imports = [...modules, { from: entry, names: own }].flatMap(({ from, names }) => {
    const used = [...new Set(names)].filter(
      (name) => new RegExp(`(?<![."\\w])${name}\\b`).test(code) && !declares(code, name),
    );
    return used.length ? [`import { ${used.join(", ")} } from "${from}";`] : [];
  });
  return `${imports.join(" ")}\n${code}\nexport {};\n`;
}

/** Also as a key of an object, a parameter or a string, which is no use of the name. */
function declares(code: string, name: string): boolean {
  return new RegExp(`(const|let|class|function|interface|type) ${name}\\b|import .*\\b${name}\\b`).test(code);
}

async function configuration(): Promise<object> {
  const { compilerOptions } = JSON.parse(await readFile(join(root, "tsconfig.json"), "utf8")) as {
    compilerOptions: object;
  };
  const paths = {
    ...Object.fromEntries(entries.map(({ from, path }) => [from, [join(root, path)]])),
    "tsop/k8s/*": [join(root, "src/k8s/*.ts")],
  };
  const options = { ...compilerOptions, rootDir: "/", isolatedDeclarations: false, verbatimModuleSyntax: false, paths };
  return { compilerOptions: options, include: ["*.ts", join(root, "src/**/*.d.ts")] };
}
