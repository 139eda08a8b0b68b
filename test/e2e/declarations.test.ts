import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mustRun, repository, run, temporaryFolder } from "./shell.ts";

// The declarations of the package as a dependent program sees them: from the tarball, with every declaration checked.

const program = `
import { controllerManagedBy, createManager, enqueueFromMap, generationChanged, loadConfig, setupSignalHandler, webhookManagedBy } from "tsop";
import { generate } from "tsop/codegen";
import { toKubeConfig } from "tsop/client-node";
import { parseYamlDocuments } from "tsop/yaml";
import { Deployment } from "tsop/k8s/apps/v1";
import { Secret } from "tsop/k8s/core/v1";
import { TestEnvironment } from "tsop/testing";

const mgr = await createManager(await loadConfig());
await controllerManagedBy(mgr)
  .for(Deployment, { predicates: [generationChanged(), { create: ({ object }) => object.spec?.replicas !== 0 }] })
  .watches(Secret, enqueueFromMap(({ metadata, data }) => (data?.["key"] ? [{ name: metadata.name! }] : [])))
  .complete({ reconcile: async (request, ctx) => ctx.log.info("round", { name: request.name, attempt: ctx.attempt }) });
webhookManagedBy(mgr, Deployment).withDefaulter({ default: ({ spec }) => void (spec!.replicas ??= 1) }).complete();
const { items } = await mgr.client.list(Deployment, { readonly: true });
// @ts-expect-error what is shared is for reading only
items[0]!.spec!.replicas = 3;
// @ts-expect-error a Deployment has no such field
await mgr.client.create(Deployment, { metadata: {}, spec: { size: 1 } });
await mgr.start(setupSignalHandler());
export { generate, parseYamlDocuments, TestEnvironment, toKubeConfig };
`;
const folder = temporaryFolder("declarations");

beforeAll(async () => {
  const modules = join(folder.path, "node_modules");
  mkdirSync(join(modules, "tsop"), { recursive: true });
  const packed = await mustRun("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder.path], {
    cwd: repository,
  });
  const tarball = join(folder.path, packed.trim());
  await mustRun("tar", ["-xzf", tarball, "--strip-components=1", "-C", join(modules, "tsop")], { cwd: folder.path });
  const manifest = JSON.parse(readFileSync(join(modules, "tsop/package.json"), "utf8")) as { dependencies: object };
  for (const name of [...Object.keys(manifest.dependencies), "typescript", "@types/node", "undici-types"]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repository, "node_modules", name), join(modules, name));
  }
  writeFileSync(join(folder.path, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder.path, "main.ts"), program);
});
afterAll(() => folder.remove());

describe("the declarations of the package", () => {
  it.each([
    ["nodenext", "nodenext", {}],
    ["bundler", "esnext", {}],
    ["nodenext", "nodenext", { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }],
  ])("compile by %s, %s, %o", async (moduleResolution, module, more) => {
    const compilerOptions = { strict: true, skipLibCheck: false, noEmit: true, target: "es2023", types: ["node"] };
    const config = { compilerOptions: { ...compilerOptions, moduleResolution, module, ...more }, files: ["main.ts"] };
    writeFileSync(join(folder.path, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    expect(await run(process.execPath, [tsc, "-p", "."], { cwd: folder.path })).toMatchObject({ code: 0, stdout: "" });
  });

  it("contain no any", () => {
    const dist = join(folder.path, "node_modules/tsop/dist");
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
    expect(files.length).toBeGreaterThan(300);
    const withAny = files.filter((file) => {
      const code = readFileSync(join(dist, file), "utf8").replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
      return /[:<|&,(=]\s*any\b|\bany\[\]/.test(code);
    });
    expect(withAny).toEqual([]);
  });
});
