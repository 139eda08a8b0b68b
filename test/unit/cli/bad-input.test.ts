import { describe, expect, it } from "vitest";
import type { Io } from "../../../src/cli/io.ts";
import { memoryIo, type MemoryIo } from "./memory-io.ts";
import { filesOf, project, refuse, run } from "./project-io.ts";

const memcached = "create api --group cache --kind Memcached --make=false";
const redis = "create api --group cache --kind Redis --make=false";

// Tests of the commands cover invalid values; these tests cover the state of the project.
describe("an invalid project", () => {
  const edit = (path: string, from: string | RegExp, to: string) => async (io: MemoryIo) =>
    io.disk.write(path, io.disk.files.get(path)!.replace(from, to));
  interface Case {
    readonly spoil: (io: MemoryIo) => Promise<unknown>;
    readonly line?: string;
    readonly code: string;
    /** Texts that the error and the hint must contain. */
    readonly names: readonly [fact: string, advice: string];
  }
  const cases: Record<string, Case> = {
    "corrupt PROJECT": {
      spoil: edit("/p/PROJECT", /$/, ": ["),
      code: "TSOP_PROJECT_INVALID",
      names: ["/p/PROJECT", "git checkout -- PROJECT"],
    },
    "PROJECT of Go": {
      spoil: edit("/p/PROJECT", "typescript.tsop.dev/v1", "go.kubebuilder.io/v4"),
      code: "TSOP_PROJECT_LAYOUT",
      names: ["go.kubebuilder.io/v4", "operator-sdk or kubebuilder"],
    },
    "PROJECT of Helm": {
      spoil: edit("/p/PROJECT", "typescript.tsop.dev/v1", "helm.sdk.operatorframework.io/v1"),
      code: "TSOP_PROJECT_LAYOUT",
      names: ["helm.sdk", "another folder"],
    },
    "newer layout": {
      spoil: edit("/p/PROJECT", "typescript.tsop.dev/v1", "typescript.tsop.dev/v2"),
      code: "TSOP_PROJECT_VERSION",
      names: ["typescript.tsop.dev/v2", "tsop@latest"],
    },
    "PROJECT of a newer tsop": {
      spoil: edit("/p/PROJECT", /cliVersion: .*/, "cliVersion: 99.0.0"),
      code: "TSOP_PROJECT_NEWER",
      names: ["tsop 99.0.0, this is the older", "npm install, then npx tsop"],
    },
    "missing main.ts": {
      spoil: (io) => io.disk.remove("/p/main.ts"),
      code: "TSOP_FILE_MISSING",
      names: ["main.ts", "git checkout -- main.ts"],
    },
    "types without their root marker": {
      spoil: edit("/p/api/v1alpha1/memcached_types.ts", /.*object:root=true\n/, ""),
      line: `${memcached} --version v1 --controller=false`,
      code: "TSOP_ROOT_MARKER_MISSING",
      names: ["memcached_types.ts", "export interface Memcached"],
    },
  };

  it.each(Object.keys(cases))("%s: reports the problem, the file and the fix, and changes nothing", async (name) => {
    const { spoil, line = redis, code, names } = cases[name]!;
    const io = await project(memcached);
    await spoil(io);
    const files = filesOf(io);
    expect(await run(io, line)).toBe(1);
    const [error, advice] = io.err().split("\nhint: ").slice(-2);
    expect(error).toContain(names[0]);
    expect(error).toContain(`[${code}]`);
    expect(advice).toContain(names[1]);
    expect(filesOf(io)).toEqual(files);
  });
});

describe("a failing disk", () => {
  it.each([
    ["full", "write", "ENOSPC: no space left on device"],
    ["read-only", "makeFolder", "EROFS: read-only file system"],
  ] as const)("%s: leaves the project unchanged", async (_name, operation, message) => {
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

describe("a full disk while init packs a checkout", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  const unpacked = "init --domain example.com --project-name demo --skip-install";

  it("leaves nothing if the tarball does not fit", async () => {
    const io = memoryIo();
    expect(await run({ ...io, pack: () => Promise.reject(full) }, unpacked)).toBe(1);
    expect(io.err()).toMatch(
      /vendor\/tsop-\S+\.tgz can't be written: ENOSPC: [^]*; nothing was changed {2}\[TSOP_WRITE_FAILED\]/,
    );
    expect(filesOf(io)).toEqual({});
  });

  it("leaves nothing, and no tarball, if the project does not fit", async () => {
    const io = memoryIo();
    const pack = async (_: string, tarball: string): Promise<void> => {
      await io.disk.makeFolder("/p/vendor");
      await io.disk.write(tarball, "packed");
    };
    const write: Io["disk"]["write"] = (path, ...rest) =>
      path.endsWith("main.ts.tsop-new") ? Promise.reject(full) : io.disk.write(path, ...rest);
    expect(await run({ ...io, pack, disk: { ...io.disk, write } }, unpacked)).toBe(1);
    expect(io.err()).toContain("main.ts can't be written: ENOSPC");
    expect(filesOf(io)).toEqual({});
    expect([...io.disk.folders]).not.toContain("/p/vendor");
  });
});

describe("a question without an answer", () => {
  it("ends with the flag to use, and changes nothing", async () => {
    const io = await project();
    const files = filesOf(io);
    expect(await run({ ...io, isTTY: true }, memcached)).not.toBe(0);
    expect(filesOf(io)).toEqual(files);
  });
});

describe("an unsupported command", () => {
  it.each([
    [
      "create webhook --group apps --version v1 --kind Deployment --conversion",
      "TSOP_CONVERSION_FOREIGN",
      "leave out --conversion",
    ],
    ["create api --kind Frigate --make=false", "TSOP_SECOND_GROUP", "group cache.example.com, and example.com would"],
  ])("%s", async (line, code, hint) => {
    const io = await project(memcached);
    await refuse(io, line, [`[${code}]`, hint]);
  });
});
