import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { loadConfig } from "../../../src/client/config/load-config.ts";
import { lockFolder } from "../../../src/files/lock-folder.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import type { LocalEvent } from "../../../src/local/local-event.ts";
import { runLocal, type RunLocalOptions } from "../../../src/local/run-local.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { readUses, usesFile } from "../../../src/sandbox/use-file.ts";
import { freePorts } from "../../../src/sandbox/webhooks/webhook-endpoint.ts";
import { ConfigMapKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { patience } from "../../patience.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
let temporary: string;
let root: string;
const running: { stop: AbortController; done: Promise<unknown> }[] = [];

const write = (path: string, text: string): void => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};

/** An operator that says what it was given, then stays. */
const main = `console.log(JSON.stringify({ kubeconfig: process.env.KUBECONFIG, image: process.env.MEMCACHED_IMAGE, args: process.argv.slice(2) }));
process.once("SIGTERM", () => process.exit(0));
setInterval(() => {}, 1000);
`;

beforeEach(() => {
  temporary = temporaryFolder();
  root = temporary;
  write(
    "PROJECT",
    'domain: example.com\nlayout:\n- typescript.tsop.dev/v1\nprojectName: demo\nrepo: demo\nversion: "3"\n',
  );
  write("package.json", '{ "name": "demo", "type": "module" }');
  write("main.ts", main);
  mkdirSync(join(root, "node_modules"));
  symlinkSync(repository, join(root, "node_modules/tsop"));
  symlinkSync(join(repository, "node_modules/esbuild"), join(root, "node_modules/esbuild"));
});
afterEach(async () => {
  for (const { stop } of running) stop.abort();
  await Promise.allSettled(running.splice(0).map(({ done }) => done));
});

/** Makes the project a part of a workspace, whose packages are in the folders above. */
function moveIntoWorkspace(): void {
  root = join(temporary, "operators/demo");
  mkdirSync(root, { recursive: true });
  for (const file of ["PROJECT", "package.json", "main.ts"]) renameSync(join(temporary, file), join(root, file));
}

function run(options: Partial<RunLocalOptions> = {}, env: Record<string, string> = {}) {
  const stop = new AbortController();
  const events: LocalEvent[] = [];
  const host = {
    cwd: root,
    env: { PATH: process.env["PATH"], ...env },
    disk: realDisk(),
    signal: stop.signal,
    emit: (event: LocalEvent) => void events.push(event),
  };
  const done = runLocal({ version: "0.0.0", args: [], ...options }, host);
  done.catch(() => {});
  running.push({ stop, done });
  const lines = () => events.flatMap((event) => (event.type === "output" ? [event.line] : []));
  const until = <Type extends LocalEvent["type"]>(type: Type, count = 1) =>
    vi.waitFor(() => {
      const found = events.filter((event) => event.type === type) as Extract<LocalEvent, { type: Type }>[];
      expect(found.length).toBeGreaterThanOrEqual(count);
      return found[count - 1]!;
    }, patience);
  return { stop, done, events, lines, until };
}

it("runs the operator on an embedded server, writes a kubeconfig, and cleans up", async () => {
  write("config/manager/manager.yaml", managerYaml);
  write("config/samples/b.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: sample }\n");
  write("config/samples/kustomization.yaml", "resources: [b.yaml]\n");
  const { stop, done, events, until } = run({ args: ["--x"], apply: ["config/samples"] });
  const said = JSON.parse((await until("output")).line) as { kubeconfig: string; image: string; args: string[] };
  expect(said).toMatchObject({ image: "memcached:1.6", args: ["--x"] });
  expect(events.map(({ type }) => type).slice(0, 3)).toEqual(["generated", "built", "target"]);
  expect(events[2]).toMatchObject({ embedded: true });
  await until("applied");

  const kubeconfig = join(root, ".tsop/kubeconfig");
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
  expect(readFileSync(said.kubeconfig, "utf8")).toBe(readFileSync(kubeconfig, "utf8"));
  const client = createClient({ config: await loadConfig({ kubeconfig }) });
  expect(await client.get(ConfigMapKind, { namespace: "default", name: "sample" })).toBeTruthy();

  const begin = performance.now();
  stop.abort();
  await done;
  expect(performance.now() - begin).toBeLessThan(20_000);
  expect(readdirSync(join(root, ".tsop"))).toEqual([".gitignore"]);
  expect(events.at(-1)).toEqual({ type: "stopped" });
});

it("reports the TypeScript line of a crash", async () => {
  write("main.ts", 'interface A { a: string }\nimport { crash } from "./crash.ts";\ncrash();\n');
  write("crash.ts", 'export function crash(): void {\n  throw new Error("boom");\n}\n');
  const { done, lines } = run();
  await expect(done).rejects.toMatchObject({
    code: "TSOP_OPERATOR_ENDED",
    message: expect.stringContaining("exit code 1"),
  });
  expect(lines().join("\n")).toContain(`at crash (${join(root, "crash.ts")}:2:9)`);
});

it.each([
  ["a syntax error", "const a = ;\n", { line: 1, column: 11 }],
  ["an unknown marker", "// +kubebuilder:rback:groups=a,resources=b,verbs=get\n", { code: "TSOP_MARKER_UNKNOWN" }],
  ["an import without a file", 'import "./gone.ts";\n', { line: 1, column: 8, code: "TSOP_BUILD" }],
])("reports %s at its place, before a server starts", async (_, text, finding) => {
  write("main.ts", text);
  const { done, events } = run();
  await expect(done).rejects.toMatchObject({ diagnostics: [expect.objectContaining({ file: "main.ts", ...finding })] });
  expect(events.filter(({ type }) => type !== "generated")).toEqual([]);
  expect(readdirSync(join(root, ".tsop"))).toEqual([".gitignore"]);
});

it("keeps the server while it watches and waits for the fix of a syntax error", async () => {
  write("main.ts", "const a = ;\n");
  const { events, until } = run({ watch: true });
  await until("problem");
  expect(events[0]).toMatchObject({ type: "target", embedded: true });
  write("main.ts", main);
  await until("started");
});

/** Adds what the compiler needs to the project. */
function withCompiler(): void {
  symlinkSync(join(repository, "node_modules/typescript"), join(root, "node_modules/typescript"));
  symlinkSync(join(repository, "node_modules/@types"), join(root, "node_modules/@types"));
  write("tsconfig.json", JSON.stringify({ compilerOptions: { strict: true, types: ["node"] }, include: ["*.ts"] }));
}

it("fails with type errors and their places", async () => {
  withCompiler();
  write("main.ts", `${main}\nexport const size: number = "two";\n`);
  write("a.test.ts", "export const unfinished: number = true;\n");
  await expect(run().done).rejects.toMatchObject({
    diagnostics: [expect.objectContaining({ file: "main.ts", line: 5, column: 14, code: "TS2322" })],
  });
});

it("finds the compiler of a workspace", async () => {
  withCompiler();
  moveIntoWorkspace();
  write("tsconfig.json", '{ "include": ["*.ts"] }');
  write("main.ts", 'export const size: number = "two";\n');
  await expect(run().done).rejects.toMatchObject({ diagnostics: [expect.objectContaining({ code: "TS2322" })] });
});

it("bundles the TypeScript packages of a workspace, but not the packages that they import", async () => {
  moveIntoWorkspace();
  write("../../packages/shared/package.json", '{ "type": "module", "exports": "./index.ts" }');
  write("../../packages/shared/index.ts", 'import inner from "inner";\nexport const said: string = inner.word;\n');
  write(
    "../../packages/shared/node_modules/inner/package.json",
    '{ "exports": { "module": "./no.js", "default": "./index.js" } }',
  );
  write("../../packages/shared/node_modules/inner/index.js", "module.exports = { word: __filename };\n");
  symlinkSync("../packages/shared", join(temporary, "node_modules/shared"));
  write("main.ts", `import { said } from "shared";\nconsole.log(said);\n${main}`);
  const { until } = run();
  expect((await until("output")).line).toBe(join(temporary, "packages/shared/node_modules/inner/index.js"));
});

it("reports type errors while it watches, keeps the operator running, and reports that they are fixed", async () => {
  withCompiler();
  write("main.ts", `${main}\nexport const size: number = "two";\n`);
  const { until } = run({ watch: true });
  expect((await until("problem")).error).toMatchObject({
    diagnostics: [expect.objectContaining({ line: 5 })],
  });
  await until("started");
  write("main.ts", `${main}\nexport const size: number = 2;\n`);
  await until("fixed");
});

it("restarts after a save, reports errors in between, and keeps the server", async () => {
  const { events, lines, until, stop, done } = run({ watch: true });
  await until("started");
  await until("output");
  write("main.ts", main.replace("{ kubeconfig", "{ second: true, kubeconfig"));
  await until("started", 2);
  await vi.waitUntil(() => lines().some((line) => line.includes("second")), patience);
  write("main.ts", "const a = ;\n");
  await until("problem");
  write("main.ts", 'throw new Error("boom");\n');
  await until("ended");
  write("main.ts", main.replace("{ kubeconfig", "{ third: true, kubeconfig"));
  await until("started", 4);
  await vi.waitUntil(() => lines().some((line) => line.includes("third")), patience);
  expect(events.filter(({ type }) => type === "target")).toHaveLength(1);
  stop.abort();
  await done;
});

it("reports a fix that needs no new operator", async () => {
  const { until, events } = run({ watch: true });
  await until("started");
  write("main.ts", "const a = ;\n");
  await until("problem");
  write("main.ts", main);
  await until("fixed");
  expect(events.filter(({ type }) => type === "started")).toHaveLength(1);
});

it("applies a manifest again after a save, in the project or elsewhere, and no others", async () => {
  const elsewhere = temporaryFolder();
  const manifest = (name: string, value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { key: ${value} }\n`;
  write("config/samples/a.yaml", manifest("a", "one"));
  write("config/samples/b.yaml", manifest("b", "one"));
  writeFileSync(join(elsewhere, "c.yaml"), manifest("c", "one"));
  const { until, events } = run({ watch: true, apply: ["config/samples", join(elsewhere, "c.yaml")] });
  await until("applied");
  write("config/samples/a.yaml", manifest("a", "two"));
  expect((await until("applied", 2)).objects).toMatchObject([{ name: "a", result: "configured" }]);
  writeFileSync(join(elsewhere, "c.yaml"), manifest("c", "two"));
  expect((await until("applied", 3)).objects).toMatchObject([{ name: "c", result: "configured" }]);
  const client = createClient({ config: await loadConfig({ kubeconfig: join(root, ".tsop/kubeconfig") }) });
  expect(await client.get(ConfigMapKind, { namespace: "default", name: "a" })).toMatchObject({ data: { key: "two" } });
  expect(events.filter(({ type }) => type === "started")).toHaveLength(1);
});

it.each<[string, string, object]>([
  ["nope", "TSOP_MANIFEST_NOT_FOUND", {}],
  ["nope", "TSOP_MANIFEST_NOT_FOUND", { watch: true }],
  ["empty", "TSOP_MANIFESTS_MISSING", {}],
  ["empty", "TSOP_MANIFESTS_MISSING", { watch: true }],
  ["main.ts", "TSOP_YAML_INVALID", {}],
  ["package.json", "TSOP_MANIFEST_INVALID", {}],
])("starts nothing if %s is to be applied: %s %j", async (path, code, options) => {
  mkdirSync(join(root, "empty"));
  const { done, events } = run({ apply: [path], ...options });
  await expect(done).rejects.toMatchObject({ code });
  expect(events).toEqual([]);
  expect(existsSync(join(root, ".tsop"))).toBe(false);
});

it("applies what a pipe contains, which can be read only once", async () => {
  const pipe = join(root, "pipe");
  execFileSync("mkfifo", [pipe]);
  const { until } = run({ apply: ["pipe"] });
  await writeFile(pipe, "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: sample }\n");
  expect((await until("applied")).objects).toMatchObject([{ name: "sample", result: "created" }]);
});

it("reports that it waits for a kind that the operator may define, until it is stopped", async () => {
  write("a.yaml", "apiVersion: example.com/v1\nkind: Boat\nmetadata: { name: a }\n");
  const { until, stop, done } = run({ apply: ["a.yaml"] });
  expect(await until("awaitsKind")).toMatchObject({ kind: "Boat", file: "a.yaml" });
  stop.abort();
  await expect(done).resolves.toBeUndefined();
});

it("names the namespace that a manifest lacks", async () => {
  write("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: sample, namespace: temp }\n");
  await expect(run({ apply: ["a.yaml"] }).done).rejects.toMatchObject({
    code: "TSOP_NAMESPACE_NOT_FOUND",
    hint: expect.stringContaining("kubectl create namespace temp"),
  });
});

it.each(["--help", "-h"])("prints the help of the operator for %s, without a server", async (flag) => {
  const help = `if (process.argv.includes("${flag}")) { console.log("flags of the operator"); process.exit(0); }\n`;
  write("main.ts", `${help}${main}`);
  const { done, lines, events } = run({ args: [flag] });
  await done;
  expect(lines()).toEqual(["flags of the operator"]);
  expect(events.map(({ type }) => type)).toEqual(["output"]);
  expect(readdirSync(join(root, ".tsop"))).toEqual([".gitignore"]);
});

it("applies once the manifests that failed at first", async () => {
  write("config/samples/a.yaml", "kind: [");
  const { until, events } = run({ watch: true, apply: ["config/samples"] });
  await until("problem");
  write("config/samples/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: sample }\n");
  await until("fixed");
  expect((await until("applied")).objects).toMatchObject([{ name: "sample", result: "created" }]);
  write("main.ts", `${main}\n// another one\nconsole.log("again");`);
  await until("started", 2);
  expect(events.filter(({ type }) => type === "applied")).toHaveLength(1);
});

it("opens the inspector for a debugger", async () => {
  const [port] = await freePorts(1);
  const { until } = run({ debug: port! });
  await until("output");
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { url: string }[];
  expect(targets).toMatchObject([{ type: "node", url: expect.stringMatching(/main\.mjs$/) }]);
});

it("rejects actions without a role, and names the marker to add", async () => {
  write("main.ts", list);
  const { lines, until } = run({ rbac: true });
  await until("output");
  expect(lines()[0]).toBe(
    'configmaps is forbidden: User "system:serviceaccount:demo-system:controller-manager" cannot list resource "configmaps" in API group "" in the namespace "default"' +
      ': add to your controller: // +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch',
  );
});

it("gives an operator with roles the namespace of its account, in which it may have a Lease", async () => {
  const { until } = run({ rbac: true });
  const { kubeconfig } = JSON.parse((await until("output")).line) as { kubeconfig: string };
  expect((await loadConfig({ kubeconfig })).namespace).toBe("demo-system");
  expect((await loadConfig({ kubeconfig: join(root, ".tsop/kubeconfig") })).namespace).toBe("default");
});

it("allows the actions of config/rbac, and records what the operator asked for", async () => {
  write("main.ts", list);
  write("config/rbac/role.yaml", roleYaml);
  const { lines, until, stop, done } = run({ rbac: true });
  await until("output");
  expect(lines()[0]).toBe("allowed");
  stop.abort();
  await done;
  const { runs, uses } = await readUses([join(root, usesFile)]);
  expect(runs).toBe(1);
  expect(uses).toEqual([
    expect.objectContaining({ verb: "list", group: "", resource: "configmaps", namespace: "default" }),
  ]);
});

it("runs an operator of one namespace in its own, with its roles and the samples", async () => {
  writeFileSync(
    join(root, "PROJECT"),
    readFileSync(join(root, "PROJECT"), "utf8").replace("repo:", "namespaced: true\nrepo:"),
  );
  write(
    "config/manager/manager.yaml",
    managerYaml.replace(
      "POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name",
      "WATCH_NAMESPACE, valueFrom: { fieldRef: { fieldPath: metadata.namespace",
    ),
  );
  write("config/samples/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: sample }\n");
  write("main.ts", `console.log(process.env.WATCH_NAMESPACE);\n${main}`);
  const { lines, until } = run({ rbac: true, apply: ["config/samples"] });
  await until("applied");
  await until("output");
  expect(lines()[0]).toBe("demo-system");
  const config = await loadConfig({ kubeconfig: join(root, ".tsop/kubeconfig") });
  expect(config.namespace).toBe("demo-system");
  expect(await createClient({ config }).get(ConfigMapKind, { namespace: "demo-system", name: "sample" })).toBeTruthy();
});

it("names the role that a binding of config/rbac lacks", async () => {
  write("main.ts", list);
  write(
    "config/rbac/role.yaml",
    roleYaml.replace("kind: ClusterRole, name: manager-role", "kind: ClusterRole, name: manger-role"),
  );
  const { lines, until } = run({ rbac: true });
  await until("output");
  expect(lines()[0]).toMatch(
    /RBAC: clusterrole\S+ "manger-role" not found: a binding names the ClusterRole manger-role, which config\/rbac does not define$/,
  );
});

it("restores the objects of the last run", async () => {
  write("sample.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: sample }\n");
  const first = run({ persist: "state", apply: ["sample.yaml"] });
  await first.until("applied");
  first.stop.abort();
  await first.done;
  const second = run({ persist: "state" });
  await second.until("started");
  const client = createClient({ config: await loadConfig({ kubeconfig: join(root, ".tsop/kubeconfig") }) });
  expect(await client.get(ConfigMapKind, { namespace: "default", name: "sample" })).toBeTruthy();
});

it("separates two runs of one project", async () => {
  const [first, second] = [run(), run()];
  await Promise.all([first.until("output"), second.until("output")]);
  const [a, b] = [first, second].map(({ events }) => events.find((event) => event.type === "target"));
  expect(a).not.toEqual(b);
});

it("keeps the kubeconfig of the first run while a second one starts and stops", async () => {
  const first = run();
  expect(await first.until("kubeconfig")).toMatchObject({ path: ".tsop/kubeconfig" });
  const kubeconfig = readFileSync(join(root, ".tsop/kubeconfig"), "utf8");
  const second = run();
  const { path } = await second.until("kubeconfig");
  expect(path).toMatch(new RegExp(`^\\.tsop/kubeconfig-${process.pid}-`));
  expect(statSync(join(root, path)).mode & 0o777).toBe(0o600);
  await second.until("started");
  const { server } = await second.until("target");
  expect((await loadConfig({ kubeconfig: join(root, path) })).server).toBe(server);
  second.stop.abort();
  await second.done;
  expect(existsSync(join(root, path))).toBe(false);
  expect(readFileSync(join(root, ".tsop/kubeconfig"), "utf8")).toBe(kubeconfig);

  first.stop.abort();
  await first.done;
  expect(readdirSync(join(root, ".tsop"))).toEqual([".gitignore"]);
  expect(await run().until("kubeconfig")).toMatchObject({ path: ".tsop/kubeconfig" });
});

it("removes what killed runs left behind, and takes over their kubeconfig", async () => {
  const dead = 2 ** 31 - 2;
  for (const name of [`run-${dead}-a/main.mjs`, `kubeconfig-${dead}-a`, "kubeconfig"]) write(`.tsop/${name}`, "old");
  write(".tsop/kubeconfig.lock", `${dead} 1 tsop run --local`);
  const { stop, done, until } = run();
  expect(await until("kubeconfig")).toMatchObject({ path: ".tsop/kubeconfig" });
  stop.abort();
  await done;
  expect(readdirSync(join(root, ".tsop"))).toEqual([".gitignore"]);
});

it("serves a CRD that another command has written while it watches", async () => {
  const { until } = run({ watch: true });
  await until("started");
  expect(await until("crds")).toMatchObject({ names: [] });
  write("config/crd/bases/a.yaml", crdYaml);
  write("main.ts", `${main}\n`);
  expect(await until("crds", 2)).toMatchObject({ names: [expect.stringMatching(/example\.com$/)] });
});

it("serves the kinds of other projects as their types describe them", async () => {
  const project = readFileSync(join(root, "PROJECT"), "utf8");
  const path = "./api/external/sea.example.org/v1/zz_generated.kinds.ts";
  const boat = `{ domain: example.org, external: true, group: sea, kind: Boat, path: ${path}, version: v1 }`;
  write("PROJECT", `${project}resources:\n- ${boat}\n`);
  const types = (spec: string): string => `import type { ObjectMeta } from "tsop";
/** +kubebuilder:object:root=true */
export interface Boat { metadata: ObjectMeta; spec?: ${spec} }
`;
  const group = "// +tsop:external\n// +groupName=sea.example.org\n\nexport {};\n";
  write("api/external/sea.example.org/v1/groupversion_info.ts", group);
  write("api/external/sea.example.org/v1/boat_types.ts", types("{ color: string }"));
  const { until } = run({ watch: true });
  expect(await until("crds")).toMatchObject({ names: ["boats.sea.example.org"] });
  const { path: kubeconfig } = await until("kubeconfig");
  const client = createClient({ config: await loadConfig({ kubeconfig: join(root, kubeconfig) }) });
  const Boat = await client.kindFor("sea.example.org/v1", "Boat");
  const named = { metadata: { namespace: "default", name: "a" } };
  await expect(client.create(Boat, { ...named, spec: {} })).rejects.toThrow("spec.color: Required value");
  await until("started");
  write("api/external/sea.example.org/v1/boat_types.ts", types("{ color?: string }"));
  await until("crds", 2);
  await client.create(Boat, { ...named, spec: {} });
});

it("waits for a command that changes the project, and names it", async () => {
  const command = { purpose: "tsop create api", signal: new AbortController().signal, onWait: () => {} };
  const lock = await lockFolder(root, realDisk(), command);
  const { events, until } = run();
  expect(await until("waiting")).toMatchObject({ purpose: "tsop create api", pid: process.pid });
  expect(events.some(({ type }) => type === "generated")).toBe(false);
  await lock.release();
  await until("started");
});

it("does not touch the cluster of KUBECONFIG unless a flag names it", async () => {
  const cluster = run();
  const { server } = await cluster.until("target");
  await cluster.until("kubeconfig");
  const kubeconfig = join(root, "cluster");
  writeFileSync(kubeconfig, readFileSync(join(root, ".tsop/kubeconfig")));
  write("config/samples/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: sample }\n");
  const own = run({ apply: ["config/samples"] }, { KUBECONFIG: kubeconfig });
  const target = await own.until("target");
  expect(target).toMatchObject({ embedded: true, ignored: kubeconfig });
  expect(target.server).not.toBe(server);
  await own.until("applied");
  const client = createClient({ config: await loadConfig({ kubeconfig }) });
  expect(await client.getOrUndefined(ConfigMapKind, { namespace: "default", name: "sample" })).toBeUndefined();
  const named = run({ context: "tsop" }, { KUBECONFIG: kubeconfig });
  expect(await named.until("target")).toMatchObject({ embedded: false, server, ignored: undefined });
});

it.each([".tsop/kubeconfig", join("..", "PROJECT_NAME", ".tsop", "kubeconfig-1-a")])(
  "does not mention a KUBECONFIG of the project's own runs: %s",
  async (file) => {
    const { until } = run({}, { KUBECONFIG: file.replace("PROJECT_NAME", basename(root)) });
    expect(await until("target")).toMatchObject({ embedded: true, ignored: undefined });
  },
);

it("leaves .tsop/kubeconfig to the sandbox that has written it", async () => {
  const serving = new AbortController();
  const sandbox = await startSandbox({}, serving.signal);
  write(".tsop/kubeconfig", sandbox.kubeconfig);
  try {
    const { until } = run();
    expect((await until("kubeconfig")).path).toMatch(/^\.tsop\/kubeconfig-\d+-/);
    expect(readFileSync(join(root, ".tsop/kubeconfig"), "utf8")).toBe(sandbox.kubeconfig);
  } finally {
    serving.abort();
    await sandbox.done;
  }
});

it("uses the cluster of --kubeconfig, and reports missing CRDs", async () => {
  write("config/crd/bases/a.yaml", crdYaml);
  const cluster = run();
  await cluster.until("started");
  const kubeconfig = join(root, "cluster");
  writeFileSync(kubeconfig, readFileSync(join(root, ".tsop/kubeconfig")));
  const same = run({ kubeconfig });
  expect(await same.until("target")).toMatchObject({ embedded: false });
  await same.until("started");

  write("config/crd/bases/b.yaml", crdYaml.replaceAll("gadget", "widget"));
  const missing = run({ kubeconfig });
  await expect(missing.done).rejects.toMatchObject({
    code: "TSOP_CRDS_NOT_INSTALLED",
    message: expect.stringContaining("widgets.example.com"),
  });
  await run({ install: true, kubeconfig }).until("started");
});

it("skips webhooks on a cluster, which cannot call this machine", async () => {
  write("config/webhook/manifests.yaml", webhookYaml);
  write("main.ts", main.replace("{ kubeconfig", "{ webhooks: process.env.ENABLE_WEBHOOKS, kubeconfig"));
  const cluster = run();
  expect(JSON.parse((await cluster.until("output")).line)).not.toHaveProperty("webhooks");
  const kubeconfig = join(root, "cluster");
  writeFileSync(kubeconfig, readFileSync(join(root, ".tsop/kubeconfig")));
  const { until } = run({ kubeconfig });
  await until("webhooksLeftOut");
  expect(JSON.parse((await until("output")).line)).toMatchObject({ webhooks: "false" });
});

it("says at the start that ENABLE_WEBHOOKS=false leaves versions unconverted, and does not wait for webhooks", async () => {
  write("config/webhook/manifests.yaml", webhookYaml);
  write("config/crd/bases/a.yaml", twoVersionsYaml);
  write("config/samples/a.yaml", "apiVersion: example.com/v2\nkind: Gadget\nmetadata: { name: sample }\n");
  const { done, events, until } = run({ apply: ["config/samples"] }, { ENABLE_WEBHOOKS: "false" });
  expect(await until("webhooksLeftOut")).toEqual({
    type: "webhooksLeftOut",
    isOff: true,
    unconverted: ["Gadget (v1, v2)"],
  });
  await until("started");
  const types = events.map(({ type }) => type);
  expect(types.indexOf("webhooksLeftOut")).toBeLessThan(types.indexOf("started"));
  const begin = performance.now();
  await expect(done).rejects.toThrow("conversion webhook for example.com/v2, Kind=Gadget failed");
  expect(performance.now() - begin).toBeLessThan(9_000);
});

it.each<[string, () => void, Partial<RunLocalOptions>, string]>([
  ["no project", () => rmSync(join(root, "PROJECT")), {}, "TSOP_PROJECT_NOT_FOUND"],
  ["no main.ts", () => rmSync(join(root, "main.ts")), {}, "TSOP_ENTRY_MISSING"],
  ["a missing kubeconfig", () => {}, { kubeconfig: "no/such/file" }, "TSOP_KUBECONFIG_NOT_FOUND"],
  ["a server that is not there", () => write("gone", goneYaml), { kubeconfig: "gone" }, "TSOP_SERVER_UNREACHABLE"],
])("reports %s, and cleans up", async (_, spoil, options, code) => {
  spoil();
  const { done, events } = run({
    ...options,
    ...(options.kubeconfig && { kubeconfig: join(root, options.kubeconfig) }),
  });
  await expect(done).rejects.toMatchObject({ code });
  // Nothing was started that could have stopped.
  if (code !== "TSOP_ENTRY_MISSING") expect(events).toEqual([]);
  expect(existsSync(join(root, ".tsop/kubeconfig"))).toBe(false);
});

it.each([
  ["package-lock.json", "npm ci"],
  ["pnpm-lock.yaml", "pnpm install --frozen-lockfile"],
  ["yarn.lock", "yarn install"],
  [undefined, "npm install"],
])("reports how to install with %s before it starts a server", async (lock, install) => {
  rmSync(join(root, "node_modules"), { recursive: true });
  if (lock) write(lock, "");
  const { done, events } = run();
  await expect(done).rejects.toMatchObject({ code: "TSOP_DEPENDENCIES_MISSING", hint: `cd ${root} && ${install}` });
  expect(events).toEqual([]);
});

it("reports that the port is in use", async () => {
  const first = run();
  const { server } = await first.until("target");
  await expect(run({ port: Number(new URL(server).port) }).done).rejects.toMatchObject({ code: "TSOP_PORT_IN_USE" });
});

/** An operator that lists ConfigMaps as whoever it is. */
const list = `import { readFileSync } from "node:fs";
import { request } from "node:https";
const kubeconfig = readFileSync(process.env.KUBECONFIG!, "utf8");
const find = (field: string) => new RegExp(field + ": (.*)").exec(kubeconfig)![1]!;
const ca = Buffer.from(find("certificate-authority-data"), "base64");
const headers = { authorization: "Bearer " + find("token") };
request(find("server") + "/api/v1/namespaces/default/configmaps", { ca, headers }, (response) => {
  let body = "";
  response.on("data", (chunk) => (body += chunk));
  response.on("end", () => console.log(response.statusCode === 200 ? "allowed" : JSON.parse(body).message));
}).end();
setInterval(() => {}, 1000);
`;

const roleYaml = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: manager-role }
rules:
- { apiGroups: [""], resources: [configmaps], verbs: [get, list, watch] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: manager-rolebinding }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: manager-role }
subjects:
- { kind: ServiceAccount, name: controller-manager, namespace: system }
`;

const managerYaml = `apiVersion: apps/v1
kind: Deployment
metadata: { name: manager }
spec:
  template:
    spec:
      containers:
      - name: manager
        env:
        - { name: MEMCACHED_IMAGE, value: "memcached:1.6" }
        - { name: POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
`;

const crdYaml = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: gadget, listKind: gadgetList, plural: gadgets, singular: gadget }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;

const twoVersionsYaml = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.example.com }
spec:
  group: example.com
  names: { kind: Gadget, plural: gadgets }
  scope: Namespaced
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: { service: { name: webhook-service, namespace: system, path: /convert } }
  versions:
  - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
  - { name: v2, served: true, storage: false, schema: { openAPIV3Schema: { type: object } } }
`;

const webhookYaml = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: validating-webhook-configuration }
webhooks:
- name: v.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: { service: { name: webhook-service, namespace: system, path: /validate } }
  rules: [{ apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [gadgets] }]
`;

const goneYaml = `apiVersion: v1
kind: Config
current-context: a
clusters: [{ name: a, cluster: { server: "https://127.0.0.1:1" } }]
contexts: [{ name: a, context: { cluster: a } }]
`;

const ring = `apiVersion: sharding.timebertt.dev/v1alpha1
kind: ControllerRing
metadata: { name: ring }
spec: { resources: [{ group: "", resource: secrets }] }
`;

it("runs replicas that share a ring, whose sharder the server plays", async () => {
  write("config/sharding/controllerring.yaml", ring);
  write("main.ts", `// parseManagerFlags()\n${main}`);
  const { stop, done, events, until } = run({ replicas: 3 });
  await until("output", 3);
  const said = events.flatMap((event) => (event.type === "output" ? [event] : []));
  expect(said.map(({ replica }) => replica).toSorted()).toEqual(["demo-0", "demo-1", "demo-2"]);
  for (const { line, replica } of said) {
    const { args } = JSON.parse(line) as { args: string[] };
    expect(args).toEqual(
      expect.arrayContaining(["--leader-elect=true", "--sharding-ring=ring", `--sharding-shard=${replica}`]),
    );
  }
  const client = createClient({ config: await loadConfig({ kubeconfig: join(root, ".tsop/kubeconfig") }) });
  const kind = await client.kindFor("sharding.timebertt.dev/v1alpha1", "ControllerRing");
  await vi.waitFor(async () => {
    const { status } = (await client.get(kind, { name: "ring" })) as { status?: { shards: number } };
    expect(status?.shards).toBe(0);
  }, patience);
  stop.abort();
  await done;
  expect(events.filter(({ type }) => type === "replicaEnded")).toEqual([]);
});

it("continues with the other replicas if one ends, and fails with the last", async () => {
  write("main.ts", `// parseManagerFlags()\n${main}console.log(process.pid);\n`);
  const { done, events, until } = run({ replicas: 2 });
  await until("output", 4);
  const pids = events.flatMap((event) =>
    event.type === "output" && /^\d+$/.test(event.line) ? [Number(event.line)] : [],
  );
  process.kill(pids[0]!, "SIGKILL");
  expect(await until("replicaEnded")).toMatchObject({ reason: "signal SIGKILL", left: 1 });
  process.kill(pids[1]!, "SIGKILL");
  await expect(done).rejects.toMatchObject({ code: "TSOP_OPERATOR_ENDED" });
});

it("does not start replicas of a program without parseManagerFlags()", async () => {
  await expect(run({ replicas: 2 }).done).rejects.toThrow("--replicas needs a main.ts with parseManagerFlags()");
});
