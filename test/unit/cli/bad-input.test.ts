import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { memoryIo, type MemoryIo } from "./memory-io.ts";

const init = "init --domain example.com --project-name demo --skip-install --tsop ^1.0.0";
const memcached = "create api --group cache --kind Memcached --make=false";
const redis = "create api --group cache --kind Redis --make=false";

const run = (io: MemoryIo, line: string): Promise<number> => main(line.split(" "), io);
const filesOf = (io: MemoryIo): Record<string, string> => Object.fromEntries(io.disk.files);

async function project(...lines: string[]): Promise<MemoryIo> {
  const io = memoryIo();
  for (const line of [init, ...lines]) expect([line, await run(io, line)]).toEqual([line, 0]);
  return io;
}

// What is wrong with single values is beside the commands' own tests; this is about what surrounds them.
describe("a project in a bad state", () => {
  const edit = (path: string, from: string | RegExp, to: string) => async (io: MemoryIo) =>
    io.disk.write(path, io.disk.files.get(path)!.replace(from, to));
  const types = "/p/api/v1alpha1/memcached_types.ts";

  it.each<[string, (io: MemoryIo) => Promise<void>, string, string, string, string]>([
    [
      "corrupt PROJECT",
      edit("/p/PROJECT", /$/, ": ["),
      redis,
      "TSOP_PROJECT_INVALID",
      "/p/PROJECT",
      "git checkout -- PROJECT",
    ],
    [
      "PROJECT of Go",
      edit("/p/PROJECT", "typescript.tsop.dev/v1", "go.kubebuilder.io/v4"),
      redis,
      "TSOP_PROJECT_LAYOUT",
      "go.kubebuilder.io/v4",
      "operator-sdk or kubebuilder",
    ],
    [
      "PROJECT of Helm",
      edit("/p/PROJECT", "typescript.tsop.dev/v1", "helm.sdk.operatorframework.io/v1"),
      redis,
      "TSOP_PROJECT_LAYOUT",
      "helm.sdk",
      "another folder",
    ],
    [
      "newer schema",
      edit("/p/PROJECT", 'version: "3"', 'version: "4"'),
      redis,
      "TSOP_PROJECT_VERSION",
      '"4"',
      "tsop@latest",
    ],
    [
      "main.ts gone",
      (io) => io.disk.remove("/p/main.ts"),
      redis,
      "TSOP_FILE_MISSING",
      "main.ts",
      "git checkout -- main.ts",
    ],
    [
      "kustomization without its point",
      edit("/p/config/crd/kustomization.yaml", /.*crdkustomizeresource\n/, ""),
      redis,
      "TSOP_SCAFFOLD_POINT_MISSING",
      "- bases/cache.example.com_redis.yaml",
      "put the comment back",
    ],
    [
      "types without their root marker",
      edit(types, /.*object:root=true\n/, ""),
      `${memcached} --version v1 --controller=false`,
      "TSOP_ROOT_MARKER_MISSING",
      "memcached_types.ts",
      "export interface Memcached",
    ],
    [
      "somebody's file in the way",
      (io) =>
        io.disk.makeFolder("/p/controllers").then(() => io.disk.write("/p/controllers/redis_controller.ts", "mine")),
      redis,
      "TSOP_FILES_EXIST",
      "controllers/redis_controller.ts",
      "--force",
    ],
  ])("%s: says what, where and how to mend it, and changes nothing", async (_name, spoil, line, code, fact, hint) => {
    const io = await project(memcached);
    await spoil(io);
    const files = filesOf(io);
    expect(await run(io, line)).toBe(1);
    const [error, advice] = io.err().split("\nhint: ").slice(-2);
    expect(error).toContain(fact);
    expect(error).toContain(`[${code}]`);
    expect(advice).toContain(hint);
    expect(filesOf(io)).toEqual(files);
  });
});

describe("a disk that takes no more", () => {
  it.each([
    ["full", "write", "ENOSPC: no space left on device"],
    ["read-only", "makeFolder", "EROFS: read-only file system"],
  ] as const)("%s: leaves the project as it was", async (_name, operation, message) => {
    const io = await project(memcached);
    const files = filesOf(io);
    let writes = 0;
    const fail = async (path: string, ...rest: [string]): Promise<never> => {
      if (++writes < 4) return io.disk[operation](path, ...rest) as Promise<never>;
      throw new Error(message);
    };
    expect(await run({ ...io, disk: { ...io.disk, [operation]: fail } }, redis)).toBe(1);
    expect(io.err()).toContain(
      `${message}; nothing was changed  [TSOP_WRITE_FAILED]\nhint: check permissions and free space`,
    );
    expect(filesOf(io)).toEqual(files);
  });
});

describe("questions without an answer", () => {
  it("end in the flag to give, and change nothing", async () => {
    const io = await project();
    const files = filesOf(io);
    expect(await run({ ...io, isTTY: true }, memcached)).not.toBe(0);
    expect(filesOf(io)).toEqual(files);
  });
});

describe("webhooks that can't be", () => {
  it.each([
    [
      "create webhook --group cache --kind Redis --defaulting",
      "TSOP_API_UNKNOWN",
      "tsop create api --group=cache --version v1alpha1 --kind Redis",
    ],
    [
      "create webhook --group apps --version v1 --kind Deployment --conversion",
      "TSOP_CONVERSION_FOREIGN",
      "leave out --conversion",
    ],
    ["create api --group ship --kind Frigate --make=false", "TSOP_SECOND_GROUP", "tsop edit --multigroup"],
  ])("%s", async (line, code, hint) => {
    const io = await project(memcached);
    const files = filesOf(io);
    expect(await run(io, line)).toBe(1);
    expect(io.err()).toContain(`[${code}]`);
    expect(io.err()).toContain(hint);
    expect(filesOf(io)).toEqual(files);
  });
});
