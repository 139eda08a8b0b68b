import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { realDisk } from "../../../src/files/real-disk.ts";
import { runProgram } from "../../../src/cli/terminal/run-program.ts";
import { memoryIo, type MemoryIo } from "../cli/memory-io.ts";

const esbuild = fileURLToPath(new URL("../../../node_modules/.bin/esbuild", import.meta.url));
export const integrity: string = `sha512-${Buffer.alloc(64, 7).toString("base64")}`;

/**
 * Files of a project whose code uses one package, which uses another one; a third one is imported, but nothing of it is
 * used.
 */
export function smallProject(base: string): Record<string, string> {
  const part = (name: string, code: string, license: string) => ({
    [`node_modules/${name}/package.json`]: JSON.stringify({
      name,
      version: "1.2.3",
      license,
      main: "index.js",
      sideEffects: false,
    }),
    [`node_modules/${name}/index.js`]: code,
    [`node_modules/${name}/LICENSE.md`]: `The license of ${name}.\n`,
  });
  const locked = (name: string) => ({
    [`node_modules/${name}`]: { version: "1.2.3", resolved: `https://registry.example.com/${name}.tgz`, integrity },
  });
  return {
    PROJECT: "domain: example.com\n",
    Dockerfile: [
      "FROM node:24 AS builder",
      "WORKDIR /workspace",
      "COPY . .",
      "RUN npm ci && npm run build",
      `FROM ${base}`,
      "WORKDIR /app",
      "COPY --from=builder /workspace/bin .",
      "USER 65532:65532",
      'ENTRYPOINT ["/nodejs/bin/node", \\',
      '  "/app/main.mjs"]',
      "",
    ].join("\n"),
    "main.ts": 'import { greet } from "@team/greeting";\nimport { unused } from "unused";\nvoid unused;\ngreet();\n',
    "package.json": JSON.stringify({
      name: "small-operator",
      version: "0.0.1",
      license: "Apache-2.0",
      author: "A Team <team@example.com>",
      type: "module",
      scripts: {
        build: `"${esbuild}" main.ts --bundle --platform=node --format=esm --sourcemap --outdir=bin --out-extension:.js=.mjs --log-level=warning`,
      },
    }),
    "package-lock.json": JSON.stringify({
      packages: { "": {}, ...locked("@team/greeting"), ...locked("words"), ...locked("unused") },
    }),
    LICENSE: "The license of the operator.\n",
    ...part(
      "@team/greeting",
      'import { hello } from "words";\nexport const greet = () => console.log(hello);\n',
      "MIT",
    ),
    ...part("words", 'export const hello = "hello";\n', "(MIT OR Apache-2.0)"),
    ...part("unused", "export const unused = 1;\n", "SEE LICENSE IN LICENSE.md"),
  };
}

/** Writes a project. */
export function writeProject(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Creates an Io of this machine in a folder, whose programs run with a umask. */
export function machineIo(cwd: string, { cache, umask = "022" }: { cache: string; umask?: string }): MemoryIo {
  const run: MemoryIo["run"] = (program, args, options) =>
    runProgram("sh", ["-c", `umask ${umask}; exec "$0" "$@"`, program, ...args], options);
  const disk = realDisk() as MemoryIo["disk"];
  return { ...memoryIo(), cwd, disk, run, env: { XDG_CACHE_HOME: cache, HOME: cache } };
}

/** Commits all files of a folder to a new git repository in it. */
export function commitAll(folder: string): void {
  const git = (...args: string[]): void => void execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init");
  git("add", "--all");
  git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-m", "first");
}

export const readJson = (file: string): any => JSON.parse(readFileSync(file, "utf8"));
