import { describe, expect, it } from "vitest";
import type { TextQuestion } from "../../../src/cli/io.ts";
import { main } from "../../../src/cli/main.ts";
import { memoryIo } from "./memory-io.ts";
import { filesOf, init, project, refuse, run, succeed } from "./project-io.ts";

const createApi = ["create", "api", "--group", "cache", "--kind", "Memcached", "--make=false"];

describe("tsop init", () => {
  it("writes a project and prints the next steps", async () => {
    const io = await project();
    expect(io.disk.files.get("/p/PROJECT")).toContain("layout:\n- typescript.tsop.dev/v1\n");
    expect(JSON.parse(io.disk.files.get("/p/package.json")!)).toMatchObject({
      name: "demo",
      dependencies: { tsop: "^1.0.0" },
    });
    expect([...io.disk.files.values()].filter((text) => text.includes("{{"))).toEqual([]);
    expect(io.err()).toContain("\n  npm install\n  npx --no-install tsop create api");
    expect(io.ran).toEqual([]);
  });

  it("keeps an existing README, LICENSE and git repository", async () => {
    const files = { "/p/README.md": "mine", "/p/LICENSE": "mine", "/p/.git/HEAD": "ref" };
    const io = memoryIo({ files });
    await succeed(io, init);
    expect(filesOf(io)).toMatchObject(files);
  });

  it("adds the missing lines to an existing .gitignore, once", async () => {
    const io = memoryIo({ files: { "/p/.gitignore": "bin/\n*.log" } });
    await succeed(io, init);
    const lines = io.disk.files.get("/p/.gitignore")!.split("\n");
    expect(lines.slice(0, 4)).toEqual(["bin/", "*.log", "", "node_modules/"]);
    expect(lines.filter((line) => line === "bin/")).toEqual(["bin/"]);
    expect(lines).toContain(".tsop/");
  });

  it.each([[], ["--dry-run"]])("lists all conflicting files, and writes none %j", async (...flags) => {
    const files = { "/p/Makefile": "mine", "/p/main.ts": "mine" };
    const io = memoryIo({ files });
    expect(await main([...init.split(" "), ...flags], io)).toBe(1);
    expect(io.out()).toBe("");
    expect(io.err()).toContain("  Makefile\n  main.ts  [TSOP_FILES_EXIST]");
    expect(filesOf(io)).toEqual(files);
  });

  it("shows a diff and writes nothing with --dry-run", async () => {
    const io = memoryIo();
    await succeed(io, [...init.split(" "), "--dry-run"]);
    expect(io.out()).toContain("--- /dev/null\n+++ b/PROJECT\n@@ -0,0 +1,");
    expect(filesOf(io)).toEqual({});
  });

  it("installs packages, and packs a checkout into vendor/ first", async () => {
    const io = memoryIo();
    await succeed(io, ["init", "--domain", "example.com"]);
    expect(io.ran).toEqual([
      expect.stringMatching(/^pack \S+ \/p\/vendor\/tsop-\d+\.\d+\.\d+\.tgz$/),
      expect.stringMatching(/^npm install /),
    ]);
    const { dependencies } = JSON.parse(io.disk.files.get("/p/package.json")!) as { dependencies: { tsop: string } };
    expect(dependencies.tsop).toMatch(/^file:vendor\/tsop-.*\.tgz$/);
  });

  it("keeps the project and prints the fix if the installation fails", async () => {
    const io = memoryIo({ run: () => ({ exitCode: 1, stderr: "ENOTFOUND" }) });
    expect(await run(io, init.replace(" --skip-install", ""))).toBe(1);
    expect(io.err()).toContain("the project is written, but npm install failed:\nENOTFOUND");
    expect(io.disk.files.has("/p/PROJECT")).toBe(true);
  });

  it.each([
    ["pnpm", "pnpm-lock.yaml", "pnpm-workspace.yaml"],
    ["yarn", "yarn.lock", ".yarnrc.yml"],
  ])("calls %s in all files of its projects, at the installed version", async (manager, lockFile, settings) => {
    const io = memoryIo({ run: (_, [flag]) => ({ stdout: flag === "--version" ? "9.1.0\n" : "" }) });
    await succeed(io, ["init", "--domain", "example.com", "--package-manager", manager]);
    expect(io.ran.filter((line) => !line.startsWith("pack"))).toEqual([`${manager} --version`, `${manager} install`]);
    const texts = new Map([...io.disk.files].map(([path, text]) => [path.slice("/p/".length), text]));
    const npm = /\b(npm|npx) |package-lock/;
    expect([...texts].filter(([path, text]) => npm.test(text) && path !== "vitest.config.ts")).toEqual([]);
    expect(JSON.parse(texts.get("package.json")!)).toMatchObject({ packageManager: `${manager}@9.1.0` });
    expect(texts.get("Dockerfile")).toContain(`COPY package.json ${lockFile} ${settings} ./`);
    expect(texts.get("Dockerfile")).toContain(`RUN corepack enable && ${manager} install --`);
    expect(texts.get(".dockerignore")).toContain(`!${lockFile}\n!${settings}\n`);
    expect(texts.get(".github/workflows/test.yml")).toContain(`cache: ${manager}`);
    expect(texts.has(settings)).toBe(true);
    expect(texts.get(".gitignore")?.includes("\n.yarn/\n")).toBe(manager === "yarn");
    expect(texts.has(manager === "yarn" ? "pnpm-workspace.yaml" : ".yarnrc.yml")).toBe(false);
    expect(io.err()).toMatch(new RegExp(`with\\n  ${manager} \\w+ tsop create api`));
  });

  it("writes nothing if the package manager is not installed", async () => {
    const io = memoryIo({ run: () => ({ exitCode: 127 }) });
    expect(await main(["init", "--domain", "example.com", "--package-manager", "pnpm"], io)).toBe(1);
    expect(io.err()).toContain("pnpm is not installed  [TSOP_PACKAGE_MANAGER_MISSING]");
    expect(io.err()).toContain("--skip-install");
    expect(filesOf(io)).toEqual({});
  });

  it.each([
    [["--domain", "Example.com"], "TSOP_INVALID_DOMAIN", "Example.com"],
    [["--project-name", "My_Operator"], "TSOP_INVALID_PROJECT_NAME", "My_Operator"],
    [["--project-name", "a".repeat(29)], "TSOP_INVALID_PROJECT_NAME", "at most 28 characters"],
    [["--plugins=go/v4-alpha"], "TSOP_GO_ONLY", "omit --plugins"],
    [["--plugins=helm/v2-alpha"], "TSOP_PLUGIN_OF_EDIT", "tsop edit --plugins helm/v2-alpha"],
    [["--plugins=autoupdate/v1-alpha"], "TSOP_PLUGIN_OF_EDIT", "tsop edit --plugins autoupdate/v1-alpha"],
    [["--plugins=terraform/v1"], "TSOP_PLUGIN_UNKNOWN", "omit --plugins"],
    [["--plugins=go/v4,grafana/v1-alpha"], "TSOP_GO_ONLY", "omit --plugins"],
    [["--plugins=helm"], "TSOP_PLUGIN_FOREIGN", "operator-sdk init --plugins=helm"],
    [["--plugins=ansible.sdk.operatorframework.io/v1"], "TSOP_PLUGIN_FOREIGN", "in TypeScript"],
    [["--fetch-deps=false"], "TSOP_GO_ONLY", "use --skip-install"],
    [["--skip-go-version-check"], "TSOP_GO_ONLY", "Go is not needed"],
  ])("rejects %j with %s", async (flags, code, part) => {
    const io = memoryIo();
    expect(await main([...init.split(" "), ...flags], io)).toBe(1);
    expect(io.err()).toContain(code);
    expect(io.err()).toContain(part);
    expect(filesOf(io)).toEqual({});
  });

  it("rejects an existing project", async () => {
    const io = await project();
    expect(await run(io, init)).toBe(1);
    expect(io.err()).toContain("TSOP_ALREADY_INITIALIZED");
  });
});

describe("tsop create api", () => {
  it("adds a second kind to the same version without a change of the first", async () => {
    const io = await project(createApi);
    const before = io.disk.files.get("/p/api/v1alpha1/memcached_types.ts");
    const argv = ["create", "api", "--group", "cache", "--kind", "Redis", "--make=false"];
    await succeed(io, argv);
    expect(io.disk.files.get("/p/api/v1alpha1/memcached_types.ts")).toBe(before);
    const mainText = io.disk.files.get("/p/main.ts")!;
    expect(mainText.indexOf("MemcachedReconciler(mgr")).toBeLessThan(mainText.indexOf("RedisReconciler(mgr"));
  });

  it("asks only on a terminal, and applies the answers", async () => {
    const answered = { ...(await project()), isTTY: true };
    const asked: string[] = [];
    const prompt = {
      ...answered.prompt,
      confirm: async ({ flag }: { flag: string }) => asked.push(flag) === 1,
    };
    expect(await main(createApi, { ...answered, prompt })).toBe(0);
    expect(asked).toEqual(["--resource", "--controller"]);
    expect(answered.err()).toContain("--kind Memcached --resource=true --controller=false\n");
    expect(answered.disk.files.has("/p/api/v1alpha1/memcached_types.ts")).toBe(true);
    expect([...answered.disk.files.keys()].filter((path) => path.startsWith("/p/controllers"))).toEqual([]);
  });

  it("warns of a project in a folder of another one", async () => {
    const outer = await project();
    expect(outer.err()).not.toContain("inside of the project");
    await outer.disk.makeFolder("/p/config/mine");
    const io = { ...outer, cwd: "/p/config/mine" };
    await succeed(io, ["init", "--skip-install", "--tsop", "^1.0.0"]);
    expect(io.err()).toContain(
      "warning: this folder is inside of the project /p; commands here work on the new project\n",
    );
  });

  it("looks for the project before it asks about a webhook", async () => {
    const io = { ...memoryIo(), isTTY: true };
    expect(await main(["create", "webhook", "--defaulting"], io)).toBe(1);
    expect(io.err()).toContain("[TSOP_PROJECT_NOT_FOUND]");
  });

  it("asks on a terminal for a missing kind and group, and offers the project's group", async () => {
    const io = { ...(await project(createApi)), isTTY: true };
    const asked: unknown[] = [];
    const input = async ({ flag, initial, check }: TextQuestion) => {
      asked.push([flag, initial]);
      const rules = ["My-Kind", "Redis", "Cache", "cache"].map((answer) => check!(answer) === undefined);
      expect(rules).toEqual(flag === "--kind" ? [false, true, true, false] : [false, false, false, true]);
      return flag === "--kind" ? "Redis" : initial!;
    };
    const prompt = { ...io.prompt, input, confirm: async () => true };
    expect(await main(["create", "api", "--make=false"], { ...io, prompt })).toBe(0);
    expect(asked).toEqual([
      ["--kind", undefined],
      ["--group", "cache"],
    ]);
    expect(io.disk.files.has("/p/config/samples/cache_v1alpha1_redis.yaml")).toBe(true);
  });

  it("asks nothing about a kind that exists, unless its controller is missing", async () => {
    const existing = await project(createApi);
    expect(await main(createApi, { ...existing, isTTY: true })).toBe(1);
    expect(existing.err()).toContain("TSOP_API_EXISTS");
    const typesOnly = await project([...createApi, "--controller=false"]);
    expect(typesOnly.err()).toContain("\nNext: edit the types, then\n");
    const asked: string[] = [];
    const confirm = async ({ flag }: { flag: string }) => asked.push(flag) === 1;
    const prompt = { ...typesOnly.prompt, confirm };
    expect(await main(createApi, { ...typesOnly, isTTY: true, prompt })).toBe(0);
    expect(asked).toEqual(["--controller"]);
  });

  it("names the missing kind if it can't ask", async () => {
    for (const command of ["api", "webhook"]) {
      const io = await project();
      expect(await main(["create", command, "--group", "cache"], io)).toBe(2);
      expect(io.err()).toContain("the kind is missing: add --kind <Kind>");
    }
  });

  it.each([
    [["--kind", "memcached"], "TSOP_INVALID_KIND"],
    [["--kind", "Memcached", "--version", "1"], "TSOP_INVALID_VERSION"],
    [["--kind", "Memcached", "--group", "Cache"], "TSOP_INVALID_GROUP"],
    [["--kind", "Frigate", "--group", "ship"], "TSOP_SECOND_GROUP"],
  ])("reports %j before it asks", async (flags, code) => {
    const io = { ...(await project(createApi)), isTTY: true };
    expect(await main(["create", "api", "--group", "cache", ...flags], io)).toBe(1);
    expect(io.err()).toContain(code);
  });

  it.each([
    [["--kind", "memcached"], "TSOP_INVALID_KIND", "--kind Memcached"],
    [["--kind", "First-Mate"], "TSOP_INVALID_KIND", "--kind FirstMate"],
    [["--kind", "Object"], "TSOP_INVALID_KIND", "--kind MyObject"],
    [["--group", "Cache"], "TSOP_INVALID_GROUP", "Cache.example.com"],
    [["--group", "cache.example.com"], "TSOP_GROUP_WITH_DOMAIN", "give the part before it: --group cache\n"],
    [["--group", "example.com"], "TSOP_GROUP_WITH_DOMAIN", "hint: leave out --group\n"],
    [["--version", "1"], "TSOP_INVALID_VERSION", "version 1 "],
    [["--plural", "Memcacheds"], "TSOP_INVALID_PLURAL", "Memcacheds"],
  ])("rejects %j with %s", async (flags, code, part) => {
    const io = await project();
    await refuse(io, [...createApi, ...flags], [code, part]);
  });

  it.each([
    ["--kind MemcachedList", "TSOP_INVALID_KIND", "the list type of kind Memcached"],
    ["--kind Memcached --version v1 --resource=false", "TSOP_API_UNKNOWN", "--external-api-path"],
    ["--group apps --version v1 --kind Deploymnt --resource=false", "TSOP_BUILTIN_KIND_UNKNOWN", "--kind Deployment?"],
    [
      "--group core --version v1alpha1 --kind Pod --resource=false",
      "TSOP_BUILTIN_KIND_UNKNOWN",
      "--version v1 --kind Pod?",
    ],
    ["--kind Memcached --external-api-domain io --resource=false", "TSOP_EXTERNAL_PATH", "--external-api-path"],
    ["--kind Redis --external-api-path ./x.ts --resource", "TSOP_EXTERNAL_RESOURCE", "--resource=false"],
    ["--kind Memcached --resource=false --controller", "TSOP_CONTROLLER_EXISTS", "--controller-name"],
    ["--kind Memcached --controller-name mem-cached", "TSOP_CONTROLLER_EXISTS", "already has a controller memcached"],
    ["--kind Memcached --controller-name Backup", "TSOP_INVALID_CONTROLLER_NAME", "Backup"],
    ["--kind Redis --image redis:7 --image-container-port 70000", "TSOP_INVALID_IMAGE_OPTION", "1 to 65535"],
    ["--kind Redis --image redis:7 --run-as-user x", "TSOP_INVALID_IMAGE_OPTION", "a number that is not negative"],
    ["--kind Memcached --ssa --controller-name backup --force", "TSOP_SSA_CONTROLLER", "client.apply"],
  ])("rejects %s in a project with a Memcached", async (flags, code, part) => {
    const io = await project(createApi);
    await refuse(io, ["create", "api", "--group", "cache", "--make=false", ...flags.split(" ")], [code, part]);
  });

  it.each([
    ["--kind Redis --ssa --controller=false", "omit --controller=false"],
    ["--kind Redis --ssa --resource=false", "omit --resource=false"],
    ["--kind Redis --ssa --image redis:8", "--ssa can't be used with --image"],
    ["--ssa --from-crd crds", "--ssa can't be used with --from-crd"],
  ])("rejects %s", async (flags, part) => {
    const io = await project();
    await refuse(io, ["create", "api", ...flags.split(" ")], [part], 2);
  });

  it("writes a controller that applies fields, and keeps to it when it writes the kind again", async () => {
    const io = { ...(await project(createApi)), isTTY: true };
    await succeed(io, [...createApi, "--ssa", "--force"]);
    const files = filesOf(io);
    expect(files["/p/PROJECT"]).toContain("    ssa: true\n");
    expect(files["/p/controllers/memcached_controller.ts"]).toContain("extractApplied(live, fieldOwner)");
    const setUps = files["/p/main.ts"]!.split("\n").filter((line) => line.includes("MemcachedReconciler("));
    expect(setUps).toEqual(["await new MemcachedReconciler(mgr.client, mgr.apiReader).setupWithManager(mgr);"]);
    await succeed(io, [...createApi, "--resource", "--controller", "--force"]);
    expect(filesOf(io)).toEqual(files);
    const another = [...createApi, "--resource=false", "--controller-name", "backup"];
    await succeed(io, another);
    expect(filesOf(io)["/p/controllers/backup_controller.ts"]).not.toContain("extractApplied");
  });

  it("imports a foreign kind from the given module, and depends on its package", async () => {
    const kind = "--group certmanager --version v1 --kind Certificate --resource=false --make=false";
    const external =
      "--external-api-path @example/types/v1 --external-api-domain io --external-api-module @example/types@^2";
    const { disk } = await project(`create api ${kind} ${external}`.split(" "));
    const code = disk.files.get("/p/controllers/certificate_controller.ts");
    expect(code).toContain('import { Certificate } from "@example/types/v1";');
    expect(code).toContain("+kubebuilder:rbac:groups=certmanager.io,resources=certificates,");
    expect(disk.files.get("/p/package.json")).toContain('"@example/types": "^2"');
    expect(disk.files.get("/p/PROJECT")).toContain("  external: true\n");
  });

  it("keeps the controller of a foreign kind that gets webhooks by the same flags", async () => {
    const names = "--group certmanager --version v1 --kind Certificate --make=false";
    const external = "--external-api-path ./given.ts --external-api-domain io";
    const io = await project(`create api ${names} --resource=false ${external}`.split(" "));
    for (const type of ["--defaulting", "--programmatic-validation"])
      await succeed(io, `create webhook ${names} ${external} ${type}`.split(" "));
    expect(io.err().match(/warning: \.\/given\.ts does not exist/g)).toHaveLength(3);
    const recorded = io.disk.files.get("/p/PROJECT");
    for (const line of ["- controller: true", "    defaulting: true", "    validation: true"])
      expect(recorded).toContain(`${line}\n`);
  });

  it.each(["./given.ts", "./given.js", "./given", "./folder", "given-types/v1"])(
    "gives no warning of a foreign kind that is imported from %s",
    async (path) => {
      const io = await project(createApi);
      await io.disk.write("/p/given.ts", "export const Certificate = {};\n");
      await io.disk.makeFolder("/p/folder");
      await io.disk.write("/p/folder/index.ts", "export const Certificate = {};\n");
      const names = "--group certmanager --version v1 --kind Certificate --make=false --external-api-domain io";
      await succeed(io, `create webhook ${names} --defaulting --external-api-path ${path}`.split(" "));
      expect(io.err()).not.toContain("warning");
    },
  );

  it("rejects the same kind again, a second group, and an edited file without its scaffold point", async () => {
    const io = await project(createApi);
    const before = filesOf(io);
    expect(await main(createApi, io)).toBe(1);
    expect(io.err()).toContain("TSOP_API_EXISTS");
    expect(await main(["create", "api", "--group", "ship", "--kind", "Frigate", "--make=false"], io)).toBe(1);
    expect(io.err()).toContain("tsop edit --multigroup");
    await io.disk.write("/p/main.ts", before["/p/main.ts"]!.replace(/.*scaffold:builder.*\n/, ""));
    expect(await main(["create", "api", "--group", "cache", "--kind", "Redis", "--make=false"], io)).toBe(1);
    expect(io.err()).toContain(
      "await new RedisReconciler(mgr.client).setupWithManager(mgr);  [TSOP_SCAFFOLD_POINT_MISSING]",
    );
    expect(io.disk.files.has("/p/api/v1alpha1/redis_types.ts")).toBe(false);
  });

  it("works in a subfolder, and fails outside of a project", async () => {
    const io = await project();
    expect(await main(createApi, { ...io, cwd: "/p/config/default" })).toBe(0);
    const outside = memoryIo();
    expect(await main(createApi, outside)).toBe(1);
    expect(outside.err()).toContain("TSOP_PROJECT_NOT_FOUND");
    expect(outside.err()).toContain("hint: change into a project, or start one: tsop init");
  });
});
