import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { memoryIo } from "./memory-io.ts";

interface Lock {
  readonly packages: Readonly<Record<string, { version?: string; resolved?: string; dependencies?: object }>>;
}
interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const own = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as Manifest;
const init = ["init", "--domain", "example.com", "--project-name", "demo"];
const lockFile = "/p/package-lock.json";

describe("the first lock file of a project", () => {
  it("has tsop, and a version of each package that package.json allows", async () => {
    const io = memoryIo();
    expect(await main(init, io)).toBe(0);
    const { packages } = JSON.parse(io.disk.files.get(lockFile)!) as Lock;
    const manifest = JSON.parse(io.disk.files.get("/p/package.json")!) as Manifest;
    expect(packages[""]).toMatchObject({ name: "demo", devDependencies: manifest.devDependencies });
    expect(packages["node_modules/tsop"]).toMatchObject({
      version: own.version,
      resolved: `file:vendor/tsop-${own.version}.tgz`,
      dependencies: own.dependencies,
    });
    const ranges = Object.entries({ ...manifest.devDependencies, ...own.dependencies });
    const outside = ranges.filter(
      ([name, range]) => !isInside(packages[`node_modules/${name}`]?.version ?? "0", range),
    );
    expect(outside).toEqual([]);
  });

  it("is not written for a tsop other than the running one", async () => {
    const io = memoryIo();
    expect(await main([...init, "--tsop", "https://example.com/tsop.tgz"], io)).toBe(0);
    expect(io.disk.files.has(lockFile)).toBe(false);
  });

  it("is removed if a registry lacks one of the versions", async () => {
    const tries: boolean[] = [];
    const io = memoryIo({
      run: () => ({ exitCode: tries.push(io.disk.files.has(lockFile)) === 1 ? 1 : 0, stderr: "ETARGET" }),
    });
    expect([await main(init, io), io.err()]).toEqual([0, io.err()]);
    expect(tries).toEqual([true, false]);
  });
});

/** Compares as npm does, for the ranges of package.json: an exact version, `~` and `^` from 1.0 on or with a minor 0. */
function isInside(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const [, sign = "", ...parts] = /^([~^]?)(\d+)\.(\d+)\.(\d+)$/.exec(range) ?? [];
  const [wantedMajor = NaN, wantedMinor = 0, wantedPatch = 0] = parts.map(Number);
  if (sign === "") return version === range;
  const isSameLine =
    major === wantedMajor && (minor === wantedMinor || (sign === "^" && major > 0 && minor > wantedMinor));
  return isSameLine && (minor > wantedMinor || patch >= wantedPatch);
}
