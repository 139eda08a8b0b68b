import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { isRelease } from "../is-release.ts";
import { writeTsop } from "./write-tsop.mjs";
import { filesBelow, goldenRoot, linkPackages, scenarios } from "./scenarios.mjs";
import { writeProject } from "./stored-projects.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

type Files = Record<string, string>;

const execute = promisify(execFile);
const scratch = temporaryFolder();

const newer = join(scratch, "newer");
/** The projects that the first release wrote, by scenario: frozen, unlike the folders next to this file. */
const firstRelease = new Map(
  Object.entries(
    JSON.parse(gunzipSync(readFileSync(join(goldenRoot, "first-release.json.gz"))).toString()) as Record<string, Files>,
  ),
);

const changedTemplates = [
  ["CONTAINER_TOOL ?= docker", "CONTAINER_TOOL ?= podman"],
  ["# Install dependencies first, so that this layer", "# Install dependencies first: this layer"],
  ["/** Runs after each change and after a restart:", "/** Called after each change and after a restart:"],
  ["// Edit this file. `make manifests generate` generates", "// Edit this file; `make manifests generate` generates"],
  ['"typescript/no-misused-promises": "error"', '"typescript/no-misused-promises": "warn"'],
  ["        - --leader-elect", "        - --leader-elect=true"],
  ['"typecheck": "tsc"', '"typecheck": "tsc --pretty"'],
  ["# The prefix of all object names.", "# The first part of all object names."],
] as const;

const updateProject = (name: string): Promise<{ stdout: string; stderr: string; code: number }> =>
  run(newer, ["update"], join(scratch, name));

async function run(tsop: string, args: readonly string[], cwd: string) {
  try {
    return { ...(await execute(process.execPath, [join(tsop, "bin/tsop.js"), ...args], { cwd })), code: 0 };
  } catch (error) {
    return error as { stdout: string; stderr: string; code: number };
  }
}

function write(name: string, files: Files): string {
  const folder = join(scratch, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const read = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8");

/** Edits a file; the edit must have an effect. */
function edit(folder: string, path: string, before: string, after: string): void {
  const text = read(folder, path);
  expect(text, path).toContain(before);
  writeFileSync(join(folder, path), text.replace(before, after));
}

/** The edits of an author: code, types, a target, an image, a manifest, the lint, a dependency. */
function editAsAuthor(folder: string): void {
  const controller = "controllers/memcached_controller.ts";
  edit(
    folder,
    controller,
    "    // Add your code here: create and update objects, then write the status. Throw an Error to retry with backoff.\n",
    "",
  );
  edit(
    folder,
    controller,
    "    return {};\n  }\n",
    "    const next: Result = { requeueAfter: 60_000 };\n    return next;\n  }\n",
  );
  edit(folder, "controllers/memcached_controller.test.ts", "toEqual({})", "toEqual({ requeueAfter: 60_000 })");
  edit(
    folder,
    "api/v1/memcached_types.ts",
    "  foo?: string;",
    "  foo?: string;\n  /** Number of pods. */\n  size?: number;",
  );
  edit(
    folder,
    "Makefile",
    "##@ Build\n",
    "##@ Mine\n\n.PHONY: hello\nhello: ## Say hello.\n\t@echo hello\n\n##@ Build\n",
  );
  edit(folder, "Dockerfile", "RUN npm run build\n", "RUN npm run build\nRUN npm prune --omit=dev\n");
  edit(folder, "config/default/kustomization.yaml", "#- ../prometheus", "- ../prometheus");
  edit(folder, "config/manager/manager.yaml", "replicas: 1", "replicas: 2");
  edit(folder, ".oxlintrc.json", '"rules": {', '"rules": {\n    "eslint/no-console": "error",');
  edit(folder, "package.json", '"dependencies": {', '"dependencies": {\n    "ms": "^2.1.3",');
  edit(folder, "main.ts", "// Reports errors", "// Mine.\n// Reports errors");
}

/** This tsop as if it were published: it packs nothing into the projects, which takes most of the time of `init`. */
const published = join(scratch, "published");

beforeAll(() => {
  writeTsop(newer, "0.2.0", changedTemplates);
  writeTsop(published, "0.1.0", []);
});

/** Reports whether a file comes from templates; generators write others, and some are given. */
function isScaffolded(path: string): boolean {
  return !/^(vendor|given)\/|^commands.txt$|crd\/bases|rbac\/role.yaml|webhook\/manifests.yaml|zz_generated/.test(path);
}

/** Those with the most commands; test/unit/cli/recorded-package.test.ts has all flags. */
const rich = new Set(["deploy-image", "foreign-kinds", "multigroup", "webhooks"]);

describe.concurrent.each(scenarios.filter((name) => isRelease || rich.has(name)))(
  "tsop alpha generate of %s",
  (name: string) => {
    it("scaffolds the files of its PROJECT again", async () => {
      const golden = join(scratch, `golden-${name}`);
      writeProject(name, golden);
      const folder = join(scratch, `generated-${name}`);
      const args = ["alpha", "generate", "--input-dir", golden, "--output-dir", folder];
      const { code, stderr } = await run(published, args, scratch);
      expect([code, stderr]).toEqual([0, expect.stringContaining("Next:\n  npm install")]);
      expect(filesBelow(folder).filter(isScaffolded)).toEqual(filesBelow(golden).filter(isScaffolded));
      for (const path of filesBelow(golden).filter(isScaffolded)) {
        // The set-up calls follow the order of the commands; the dependency is this tsop.
        const lines = (text: string): string[] =>
          path === "webhooks/setup.ts" ? text.split("\n").toSorted() : text.replace(/"tsop": ".*"/, "").split("\n");
        expect(lines(read(folder, path)), path).toEqual(lines(read(golden, path)));
      }
    });
  },
);

describe("tsop alpha generate", () => {
  it("refuses a folder with files, and leaves nothing behind if a command fails", async () => {
    const folder = write("taken", { "notes.txt": "mine\n" });
    const input = ["alpha", "generate", "--input-dir", join(goldenRoot, "minimal")];
    const refused = await run(published, [...input, "--output-dir", folder], scratch);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("TSOP_OUTPUT_NOT_EMPTY")]);
    const broken = write("broken", {
      PROJECT: read(join(goldenRoot, "minimal"), "PROJECT").replace("kind: Memcached", "kind: memcached"),
    });
    const failed = await run(
      published,
      ["alpha", "generate", "--input-dir", broken, "--output-dir", "deep/er"],
      scratch,
    );
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("TSOP_INVALID_KIND")]);
    expect(existsSync(join(scratch, "deep"))).toBe(false);
  });
});

describe("tsop update of a project of the first release", () => {
  it("joins both sides' changes without a conflict; the project compiles and passes its checks", async () => {
    const frozen = firstRelease.get("webhooks")!;
    const folder = write("edited", frozen);
    editAsAuthor(folder);
    const before = Object.fromEntries(filesBelow(folder).map((path) => [path, read(folder, path)]));
    linkPackages(folder); // tsop of the recorded version: the base comes from it
    const { code, stderr } = await updateProject("edited");
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("Updated to tsop 0.2.0. Next:\n  npm install && make generate manifests test"),
    ]);
    expect(read(folder, "PROJECT")).toContain("cliVersion: 0.2.0");
    const changes: [string, string][] = [
      ["Makefile", "CONTAINER_TOOL ?= podman"],
      ["Dockerfile", "# Install dependencies first: this layer"],
      ["controllers/memcached_controller.ts", "/** Called after each change"],
      ["api/v1/memcached_types.ts", "// Edit this file; `make"],
      [".oxlintrc.json", '"typescript/no-misused-promises": "warn"'],
      ["config/manager/manager.yaml", "- --leader-elect=true"],
      ["config/default/kustomization.yaml", "# The first part of all object names."],
      ["package.json", '"typecheck": "tsc --pretty"'],
      ["package.json", '"tsop": "^0.2.0"'],
    ];
    for (const [path, line] of changes) expect(read(folder, path), path).toContain(line);
    for (const [path, text] of Object.entries(before)) {
      const base = new Set((frozen[path] ?? "").split("\n"));
      const mine = text.split("\n").filter((line) => !base.has(line));
      const after = read(folder, path).split("\n");
      expect(
        mine.filter((line) => !after.includes(line)),
        path,
      ).toEqual([]);
    }
    const bin = (program: string, ...args: string[]) =>
      execute(join(folder, "node_modules/.bin", program), args, {
        cwd: folder,
        env: { ...process.env, KUBEBUILDER_ASSETS: "" },
      });
    await execute(process.execPath, [join(folder, "node_modules/tsop/bin/tsop.js"), "generate", "manifests"], {
      cwd: folder,
    });
    await execute(process.execPath, [join(folder, "node_modules/tsop/bin/tsop.js"), "generate", "code"], {
      cwd: folder,
    });
    await bin("tsc");
    await bin("oxlint", "--type-aware", "--deny-warnings");
    await bin("vitest", "run", "--project", "unit");
    const again = await updateProject("edited");
    expect([again.code, again.stderr]).toEqual([0, "The project is up to date: PROJECT records tsop 0.2.0.\n"]);
  });

  it("merges files that the project's Prettier has formatted with other settings", async () => {
    const frozen = firstRelease.get("webhooks")!;
    const base = write("formatted-base", frozen);
    const folder = write("formatted", frozen);
    editAsAuthor(folder);
    linkPackages(folder);
    edit(folder, "package.json", '"printWidth": 120', '"printWidth": 90, "singleQuote": true, "tabWidth": 4');
    const prettier = join(folder, "node_modules/prettier/bin/prettier.cjs");
    await execute(process.execPath, [prettier, "--write", "**/*.ts"], { cwd: folder });
    edit(folder, "api/v1/memcached_types.ts", "size?: number;", "size?:  number; // as it was typed");
    const { code } = await run(newer, ["update", "--base", base], folder);
    expect(code).toBe(0);
    const controller = read(folder, "controllers/memcached_controller.ts");
    expect(controller).toContain("/** Called after each change");
    expect(controller).toContain("        const next: Result = { requeueAfter: 60_000 };");
    const types = read(folder, "api/v1/memcached_types.ts");
    expect(types).toContain("// Edit this file; `make");
    expect(types).toContain("    size?:  number; // as it was typed\n");
  });

  it("marks conflicts, names them with their lines, and fails; a dry run changes nothing", async () => {
    const frozen = firstRelease.get("minimal")!;
    const { "AGENTS.md": _agents, ...older } = frozen;
    const base = write("conflict-base", { ...older, "config/old.yaml": "a: 1\n", "config/older.yaml": "a: 1\n" });
    const folder = write("conflict", { ...older, "config/old.yaml": "a: 1\n", "config/older.yaml": "a: 2\n" });
    edit(folder, "Dockerfile", "FROM node:20-bookworm-slim", "FROM node:24-alpine");
    rmSync(join(folder, "vitest.config.ts"));
    const state = (): Files => Object.fromEntries(filesBelow(folder).map((path) => [path, read(folder, path)]));
    const before = state();
    const args = ["update", "--base", base];
    const dry = await run(newer, [...args, "--dry-run"], folder);
    expect([dry.code, dry.stdout, dry.stderr]).toEqual([
      0,
      expect.stringContaining("+++ b/Makefile"),
      expect.stringContaining("These places would need a decision:\n  Dockerfile:2\n"),
    ]);
    expect(state()).toEqual(before);
    const { code, stderr } = await run(newer, args, folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining("  Dockerfile:2  [TSOP_UPDATE_CONFLICTS]")]);
    expect(stderr).toContain("note: config/older.yaml: the templates no longer have this file");
    expect(read(folder, "Dockerfile").split("\n").slice(1, 8)).toEqual([
      "<<<<<<< yours",
      "FROM node:24-alpine AS builder",
      "=======",
      expect.stringMatching(/^# An image of Node/),
      "ARG BASE_IMAGE=node:24-trixie-slim",
      "FROM ${BASE_IMAGE} AS builder",
      ">>>>>>> tsop 0.2.0",
    ]);
    // A target that the first release did not have.
    expect(read(folder, "Makefile")).toContain("docs: node_modules");
    expect(readdirSync(folder)).toContain("AGENTS.md");
    expect(readdirSync(folder)).not.toContain("vitest.config.ts");
    expect(readdirSync(join(folder, "config"))).toContain("older.yaml");
    expect(readdirSync(join(folder, "config"))).not.toContain("old.yaml");
  });

  it.each(["multigroup", "deploy-image"])("makes the unchanged %s what the newer tsop writes", async (name) => {
    const [base, folder] = [write(`${name}-base`, firstRelease.get(name)!), write(name, firstRelease.get(name)!)];
    const { code } = await run(newer, ["update", "--base", base], folder);
    const fresh = join(scratch, `${name}-fresh`);
    await run(newer, ["alpha", "generate", "--input-dir", base, "--output-dir", fresh], scratch);
    const filesOf = (root: string): [string, string][] =>
      filesBelow(root)
        .filter(isScaffolded)
        .map((path: string) => [path, read(root, path)]);
    expect([code, filesOf(folder)]).toEqual([0, filesOf(fresh)]);
  });

  it("packs an unpublished tsop into the project", async () => {
    const folder = write("unpublished", firstRelease.get("minimal")!);
    const base = write("unpublished-base", firstRelease.get("minimal")!);
    const { code } = await run(join(goldenRoot, "../.."), ["update", "--base", base], folder);
    expect([code, readdirSync(join(folder, "vendor"))]).toEqual([0, ["tsop-0.1.0.tgz"]]);
    expect(read(folder, "package.json")).toContain('"tsop": "file:vendor/tsop-0.1.0.tgz"');
  });

  it("replaces another, unpublished build of its version, and makes npm drop it", async () => {
    const older = join(scratch, "older-build");
    writeTsop(older, "0.1.0", [["CONTAINER_TOOL ?= docker", "CONTAINER_TOOL ?= podman"]]);
    const folder = join(scratch, "builds");
    mkdirSync(folder);
    const vendored = "file:vendor/tsop-0.1.0.tgz";
    await run(older, ["init", "--domain", "example.com", "--skip-install", "--tsop", vendored], folder);
    const lock = { lockfileVersion: 3, packages: { "": {}, "node_modules/ms": {}, "node_modules/tsop": {} } };
    const locked = { ...lock.packages, "node_modules/tsop": { version: "0.1.0", resolved: vendored } };
    write("builds", { "package-lock.json": JSON.stringify({ ...lock, packages: locked }) });
    mkdirSync(join(folder, "node_modules"));
    const installed = join(folder, "node_modules/tsop");
    const install = (tsop: string): void => {
      rmSync(installed, { force: true });
      symlinkSync(tsop, installed);
    };

    install(older);
    const same = await run(older, ["update"], folder);
    expect([same.code, read(folder, "package.json")]).toEqual([0, expect.stringContaining('"tsop": "^0.1.0"')]);
    edit(folder, "package.json", "^0.1.0", vendored);
    write("builds", { "package-lock.json": JSON.stringify({ ...lock, packages: locked }) });

    const repository = join(goldenRoot, "../..");
    const { code, stderr } = await run(repository, ["update"], folder);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Updated to tsop 0.1.0. Next:\n  npm install")]);
    expect(read(folder, "Makefile")).toContain("CONTAINER_TOOL ?= docker");
    expect(JSON.parse(read(folder, "package-lock.json"))).toEqual({
      ...lock,
      packages: { "": {}, "node_modules/ms": {} },
    });
    install(repository);
    const again = await run(repository, ["update"], folder);
    expect([again.code, again.stderr]).toEqual([0, "The project is up to date: PROJECT records tsop 0.1.0.\n"]);
  });

  it("rejects a git tree with changes unless forced, and an invalid base", async () => {
    const folder = write("dirty", firstRelease.get("minimal")!);
    const base = write("dirty-base", firstRelease.get("minimal")!);
    await execute("git", ["init", "--quiet"], { cwd: folder });
    const refused = await run(newer, ["update", "--base", base], folder);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/ {2}\?\? Makefile[^]*TSOP_TREE_DIRTY/)]);
    expect(read(folder, "PROJECT")).toContain("cliVersion: 0.1.0");
    const none = await run(newer, ["update", "--force", "--base", join(scratch, "nothing")], folder);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("TSOP_BASE_UNKNOWN")]);
    const itself = await run(newer, ["update", "--force", "--base", "."], folder);
    expect([itself.code, itself.stderr]).toEqual([1, expect.stringContaining("is the project itself")]);
    const forced = await run(newer, ["update", "--force", "--base", base], folder);
    expect([forced.code, read(folder, "PROJECT")]).toEqual([0, expect.stringContaining("cliVersion: 0.2.0")]);
    const back = await run(join(goldenRoot, "../.."), ["update", "--force"], folder);
    expect([back.code, back.stderr]).toEqual([1, expect.stringContaining("TSOP_PROJECT_NEWER")]);
  });
});
