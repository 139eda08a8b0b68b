import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entries, packageExports } from "./package-exports.ts";
import { runNode } from "../../golden/run-node.ts";

// Every exported name has a doc comment, which editors show, and the examples in these comments compile. An example is
// a module of its own. It may use every export, the Kinds of core/v1 and apps/v1, and the names of `scope`.

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The lines above an example in the file of an operator. */
const scope = `
import type { AdmissionHandler, Client, Condition, Fleet, Kind, KubeObject, Manager, Named, ReconcileContext, Reconciler, Request } from "tsop";
import type { ConfigMap, Pod, Secret } from "tsop/k8s/core/v1";
import type { Deployment } from "tsop/k8s/apps/v1";
export declare const deployment: Deployment, configMap: ConfigMap, pod: Pod, secret: Secret;
export interface Memcached extends KubeObject { spec: { size?: number }; status?: { conditions?: Condition[]; nodes?: string[] } }
export declare const Memcached: Kind<Memcached>;
export interface MemcachedV1 extends KubeObject { spec: { replicas?: number } }
export declare const MemcachedV1: Kind<MemcachedV1>;
export declare const memcached: Named<Memcached>;
export declare const request: Request;
export declare const ctx: ReconcileContext;
export declare const reconciler: Reconciler;
export declare const mgr: Manager;
export declare const fleet: Fleet;
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
  { from: "tsop/k8s/core/v1", names: ["ConfigMap", "Node", "Pod", "Secret"] },
  { from: "tsop/k8s/apps/v1", names: ["Deployment"] },
  { from: "tsop/k8s/coordination/v1", names: ["Lease"] },
  { from: "node:https", names: ["createServer"] },
];
const exported = await packageExports();
const withExample = exported.filter(({ doc }) => doc?.includes("@example"));

describe("the exports of the package", () => {
  it("are all covered", async () => {
    const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { exports: object };
    const code = Object.keys(exports).filter((name) => name !== "./package.json" && name !== "./k8s/*");
    expect(entries.map(({ from }) => from.replace(/^tsop/, ".")).toSorted()).toEqual(code.toSorted());
  });

  it("have a description", () => {
    expect(exported.length).toBeGreaterThan(230);
    expect(exported.filter(({ doc }) => !doc).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  it("have an example for every function, class and constant", () => {
    const values = exported.filter(({ isValue }) => isValue);
    expect(values.length).toBeGreaterThan(110);
    expect(values.filter(({ doc }) => !doc?.includes("@example")).map(({ file, name }) => `${file}: ${name}`)).toEqual(
      [],
    );
  });

  describe("the examples", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "tsop-examples-"));
      await symlink(join(root, "node_modules"), join(folder, "node_modules"));
      await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(await configuration()));
      await writeFile(join(folder, "scope.ts"), scope);
      for (const { from, name, doc } of withExample) {
        await writeFile(join(folder, `${name}-of-${from.replace("/", "-")}.ts`), moduleOf(doc!, from));
      }
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it(`compile, for ${withExample.length} names`, { timeout: 60_000 }, async () => {
      expect(withExample.length).toBeGreaterThan(0);
      expect(await runNode("typescript/bin/tsc", ["-p", folder], folder)).toEqual({ code: 0, output: "" });
    });
  });
});

function moduleOf(doc: string, entry: string): string {
  const lines = doc.slice(doc.indexOf("@example")).split("\n").slice(1);
  const code = lines.map((line) => line.replace(/^\s*\* ?/, "")).join("\n");
  const namesOf = (wanted: string) => exported.filter(({ from }) => from === wanted).map(({ name }) => name);
  const from = [entry, ...(entry === "tsop" ? ["tsop/testing"] : ["tsop"])];
  const taken = new Set<string>();
  const imports = [...modules, ...from.map((name) => ({ from: name, names: namesOf(name) }))].flatMap(
    ({ from, names }) => {
      const used = [...new Set(names)].filter(
        (name) => !taken.has(name) && new RegExp(`(?<![."\\w])${name}\\b`).test(code) && !declares(code, name),
      );
      for (const name of used) taken.add(name);
      return used.length ? [`import { ${used.join(", ")} } from "${from}";`] : [];
    },
  );
  return `${imports.join(" ")}\n${code}\nexport {};\n`;
}

/**
 * Reports whether the code declares or imports a name. The name can still occur as a key, a parameter or in a string.
 */
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
