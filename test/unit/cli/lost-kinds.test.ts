import { expect, it } from "vitest";
import type { MemoryIo } from "./memory-io.ts";
import { filesOf, init, projectWith, refuse, run, succeed } from "./project-io.ts";

const types = "/p/api/v1alpha1/memcached_types.ts";
const crd = "/p/config/crd/bases/cache.example.com_memcacheds.yaml";

const project = (...lines: string[]): Promise<MemoryIo> =>
  projectWith({}, `${init} --license none`, "create api --group cache --kind Memcached", ...lines);

it.each(["generate manifests", "generate code", "create api --group cache --kind Redis"])(
  "%s reports a kind that has lost its marker, and changes nothing",
  async (line) => {
    const io = await project();
    await io.disk.write(types, io.disk.files.get(types)!.replace(/.*object:root=true\n/, ""));
    const files = filesOf(io);
    expect(await run(io, line)).toBe(1);
    expect(io.err()).toMatch(
      /api\/v1alpha1\/memcached_types\.ts:\d+:\d+: error: Memcached has no comment \+kubebuilder:object:root=true/,
    );
    expect(io.err()).toContain("tsop delete api --group cache --version v1alpha1 --kind Memcached");
    expect(filesOf(io)).toEqual(files);
  },
);

it("reports a kind whose file is missing, with its place in PROJECT", async () => {
  const io = await project();
  await io.disk.remove(types);
  expect(await run(io, "generate manifests")).toBe(1);
  expect(io.err()).toMatch(
    /PROJECT:\d+:\d+: error: no type Memcached is in the folder of cache\.example\.com\/v1alpha1/,
  );
  expect(io.disk.files.has(crd)).toBe(true);
});

it("deletes a kind that has lost its marker, as the hint says", async () => {
  const io = await project();
  await io.disk.write(types, io.disk.files.get(types)!.replace(/.*object:root=true\n/, ""));
  await succeed(io, "delete api --group cache --version v1alpha1 --kind Memcached --force");
  expect(io.disk.files.has(crd)).toBe(false);
  await succeed(io, "generate manifests --check");
});

it("accepts a group that was changed by its marker", async () => {
  const io = await project();
  const info = "/p/api/v1alpha1/groupversion_info.ts";
  await io.disk.write(info, io.disk.files.get(info)!.replaceAll("cache.example.com", "other.example.com"));
  await io.disk.write(types, io.disk.files.get(types)!.replaceAll("cache.example.com", "other.example.com"));
  await succeed(io, "generate manifests");
});

it.each(["--make=false", "--make=true"])("create api refuses a second kind with the same plural (%s)", async (make) => {
  const io = await project();
  await refuse(io, `create api --group cache --kind Cache --plural memcacheds ${make}`, [
    "kind Cache has the plural memcacheds of kind Memcached in the same group",
    "--plural cacheset",
  ]);
});

it("generate manifests reports two kinds with one plural, and keeps the CRD", async () => {
  const io = await project("create api --group cache --kind Redis");
  const before = io.disk.files.get(crd);
  const redis = "/p/api/v1alpha1/redis_types.ts";
  const marker = "+kubebuilder:object:root=true";
  const text = io.disk.files.get(redis)!;
  const line = text.split("\n").find((each) => each.includes(marker))!;
  await io.disk.write(
    redis,
    text.replace(line, `${line}\n${line.replace(marker, "+kubebuilder:resource:path=memcacheds")}`),
  );
  expect(await run(io, "generate manifests")).toBe(1);
  expect(io.err()).toMatch(/redis_types\.ts:\d+:\d+: error: Redis: it has the plural memcacheds of kind Memcached/);
  expect(io.disk.files.get(crd)).toBe(before);
});

it("keeps the line of a CRD that another kind shares", async () => {
  const io = await project("create api --group cache --kind Redis --make=false");
  const text = io.disk.files.get("/p/PROJECT")!;
  await io.disk.write("/p/PROJECT", text.replace("  kind: Redis\n", "  kind: Redis\n  plural: memcacheds\n"));
  await succeed(io, "delete api --group cache --kind Redis --force --make=false");
  expect(io.disk.files.get("/p/config/crd/kustomization.yaml")).toContain("- bases/cache.example.com_memcacheds.yaml");
  expect(io.disk.files.has(crd)).toBe(true);
});
