import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { emitYaml } from "../../../src/apimachinery/yaml/emit.ts";
import { main } from "../../../src/cli/main.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { boatCrd } from "../codegen/from-crd/boat-crd.ts";
import { bundleOf } from "../olm/bundle-case.ts";
import { memoryIo, type MemoryIo } from "./memory-io.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const root = temporaryFolder();
const ran = join(root, "ran");
const evil = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(ran)}, "");\n`;

async function tsop(line: string): Promise<MemoryIo> {
  const io = { ...memoryIo({ cwd: root }), disk: realDisk() } as MemoryIo;
  expect([line, await main(line.split(" "), io), io.err()]).toEqual([line, 0, expect.anything()]);
  return io;
}

function write(path: string, text: string): void {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A project whose sources and tools run code of a stranger. */
beforeAll(async () => {
  await tsop("init --domain example.com --project-name demo --skip-install --tsop ^1");
  await tsop("create api --group cache --kind Memcached --make=false");
  for (const path of ["main.ts", "api/v1alpha1/memcached_types.ts"]) appendFileSync(join(root, path), evil);
  const modules = ["prettier/index.mjs", "esbuild/lib/main.js", "tsop/bin/tsop.js", "tsop/index.js"];
  for (const path of [...modules.map((module) => `node_modules/${module}`), "prettier.config.mjs", "vitest.config.ts"])
    write(path, evil);
  for (const [path, text] of bundleOf({ of: "no-base" })) write(`bundle/${path}`, text);
});

it.each([
  "generate manifests",
  "generate code",
  "generate docs",
  "generate kustomize manifests --interactive=false",
  "create api --group cache --kind Redis --resource --controller",
  "create webhook --group cache --kind Memcached --defaulting",
  "bundle validate bundle",
  "markers",
  "edit --multigroup=false",
])("runs none of the code of a cloned project: tsop %s", async (line) => {
  const io = await tsop(line);
  expect([io.ran, existsSync(ran)]).toEqual([[], false]);
});

it.skipIf(process.platform === "win32").each([
  ["a device", "/dev/zero", "/dev/zero is a FIFO, a socket or a device, which tsop does not read"],
  ["a FIFO", "crds/fifo.yaml", "crds/fifo.yaml is a FIFO, a socket or a device, which tsop does not read"],
])("does not wait for %s that PROJECT names as a source of types", async (_, source, message) => {
  write("crds/boat.yaml", emitYaml(boatCrd({ type: "object", properties: { color: { type: "string" } } })));
  await tsop("create api --from-crd crds/boat.yaml --make=false");
  const project = readFileSync(join(root, "PROJECT"), "utf8");
  write("PROJECT", project.replace("crds/boat.yaml", source));
  execFileSync("mkfifo", [join(root, "crds/fifo.yaml")]);
  try {
    for (const line of ["generate types", "generate code"]) {
      const io = { ...memoryIo({ cwd: root }), disk: realDisk() } as MemoryIo;
      const code = await main(line.split(" "), io);
      expect([line, code, io.err()]).toEqual([line, 1, expect.stringContaining(message)]);
    }
  } finally {
    rmSync(join(root, "crds"), { recursive: true });
    write("PROJECT", project);
  }
});
