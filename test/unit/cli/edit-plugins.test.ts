import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { memoryIo, type MemoryIo, type MemoryIoOptions } from "./memory-io.ts";

const built = readFileSync(new URL("../helm/recorded/api/kustomize.yaml", import.meta.url), "utf8");
const withoutKind = built
  .split("---\n")
  .filter((document) => !document.includes("memcached"))
  .join("---\n");
const init = ["init", "--domain", "example.com", "--project-name", "minimal", "--skip-install", "--tsop", "^1.0.0"];
const helm = ["edit", "--plugins", "helm", "--manifests", "built.yaml"];

async function project(options: MemoryIoOptions = {}): Promise<MemoryIo> {
  const io = memoryIo(options);
  expect(await main(init, io)).toBe(0);
  await io.disk.write("/p/built.yaml", built);
  return io;
}

async function withChart(): Promise<MemoryIo> {
  const io = await project();
  expect([await main(helm, io), io.err()]).toEqual([0, expect.stringContaining("created  dist/chart/Chart.yaml")]);
  return io;
}

const edit = async (io: MemoryIo, path: string, change: (text: string) => string): Promise<void> => {
  const text = io.disk.files.get(`/p/${path}`)!;
  const changed = change(text);
  expect(changed).not.toBe(text);
  await io.disk.write(`/p/${path}`, changed);
};
const chartOf = (io: MemoryIo): [string, string][] =>
  [...io.disk.files].filter(([path]) => path.startsWith("/p/dist/"));

describe("tsop edit --plugins helm", () => {
  it("writes the same chart again, and records it once", async () => {
    const io = await withChart();
    const before = Object.fromEntries(io.disk.files);
    expect(await main(helm, io)).toBe(0);
    expect(Object.fromEntries(io.disk.files)).toEqual(before);
    expect(io.disk.files.get("/p/PROJECT")).toContain(
      "  helm.kubebuilder.io/v2-alpha:\n    manifests: built.yaml\n    output: dist\n",
    );
    expect(io.disk.files.get("/p/Makefile")?.match(/^helm-chart:/gm)).toHaveLength(1);
  });

  it("keeps a file that was edited, and names it only if tsop would now write something else", async () => {
    const io = await withChart();
    await edit(io, "dist/chart/values.yaml", (text) => text.replace("replicas: 1", "replicas: 2"));
    expect(await main(helm, io)).toBe(0);
    expect(io.err()).not.toContain("edited by hand");
    expect(io.disk.files.get("/p/dist/chart/values.yaml")).toContain("replicas: 2");

    await io.disk.write("/p/built.yaml", built.replace("memory: 256Mi", "memory: 1Gi"));
    expect(await main(helm, io)).toBe(0);
    expect(io.err()).toContain("warning: dist/chart/values.yaml was edited by hand and stays");
    expect(io.disk.files.get("/p/dist/chart/values.yaml")).toContain("256Mi");

    expect(await main([...helm, "--force"], io)).toBe(0);
    expect(io.disk.files.get("/p/dist/chart/values.yaml")).toMatch(/replicas: 1\n[^]*1Gi/);
  });

  it.each([
    ["a changed template", "dist/chart/templates/manager/manager.yaml", "minReadySeconds: 5\n"],
    ["a changed helper", "dist/chart/templates/_helpers.tpl", "{{- /* mine */ -}}\n"],
    ["a changed schema", "dist/chart/values.schema.json", "\n"],
  ])("keeps %s", async (_title, path, addition) => {
    const io = await withChart();
    await edit(io, path, (text) => text + addition);
    expect(await main(helm, io)).toBe(0);
    expect(io.disk.files.get(`/p/${path}`)?.endsWith(addition)).toBe(true);
  });

  it("never overwrites Chart.yaml, which holds the version of the chart", async () => {
    const io = await withChart();
    await edit(io, "dist/chart/Chart.yaml", (text) => text.replace("version: 0.1.0", "version: 0.2.0"));
    expect(await main([...helm, "--force"], io)).toBe(0);
    expect(io.disk.files.get("/p/dist/chart/Chart.yaml")).toContain("version: 0.2.0");
  });

  it("removes the templates of objects that are gone, except for edited ones and those of the user", async () => {
    const io = await withChart();
    const roles = "dist/chart/templates/rbac/memcached";
    await edit(io, `${roles}-editor-role.yaml`, (text) => text.replace("- delete\n", ""));
    await io.disk.write("/p/dist/chart/templates/mine.yaml", "kind: ConfigMap\n");
    await io.disk.write("/p/built.yaml", withoutKind);
    expect(await main(helm, io)).toBe(0);
    const left = chartOf(io).map(([path]) => path.slice("/p/".length));
    expect(left).not.toContain("dist/chart/templates/crd/memcacheds.cache.example.com.yaml");
    expect(left).not.toContain(`${roles}-admin-role.yaml`);
    expect(left).toContain(`${roles}-editor-role.yaml`);
    expect(left).toContain("dist/chart/templates/mine.yaml");
    expect(io.err()).toContain(`warning: ${roles}-editor-role.yaml was edited by hand and stays`);
  });

  it("writes into another folder, and nothing with --dry-run", async () => {
    const io = await project();
    expect(await main([...helm, "--output-dir", "charts", "--dry-run"], io)).toBe(0);
    expect(io.out()).toContain("charts/chart/values.yaml");
    expect(io.disk.files.has("/p/charts/chart/values.yaml")).toBe(false);
    expect(await main([...helm, "--output-dir", "charts"], io)).toBe(0);
    expect(io.disk.files.has("/p/charts/chart/values.yaml")).toBe(true);
    expect(io.disk.files.get("/p/Makefile")).toContain("HELM_CHART_DIR ?= charts/chart");
  });

  it("lets make build the manifests without --manifests", async () => {
    const io = await project({
      run: (program) => {
        if (program !== "make") return {};
        void io.disk.makeFolder("/p/dist");
        void io.disk.write("/p/dist/install.yaml", built);
        return {};
      },
    });
    expect(await main(["edit", "--plugins", "helm/v2-alpha"], io)).toBe(0);
    expect(io.ran).toContain("make build-installer");
    expect(io.disk.files.has("/p/dist/chart/values.yaml")).toBe(true);
  });

  it.each([
    [["--manifests", "absent.yaml"], "TSOP_HELM_MANIFESTS", "absent.yaml does not exist"],
    [["--manifests", "PROJECT"], "TSOP_HELM_NO_MANAGER", "PROJECT contains no Deployment"],
    [[], "TSOP_HELM_MANIFESTS", "make build-installer failed:\nno rule"],
    [["--multigroup"], "TSOP_USAGE", "a command of its own"],
  ])("rejects %j with %s", async (flags, code, part) => {
    const io = await project({ run: () => ({ exitCode: 2, stderr: "no rule\n" }) });
    expect(await main(["edit", "--plugins", "helm", ...flags], io)).not.toBe(0);
    expect(io.err()).toContain(part);
    if (code !== "TSOP_USAGE") expect(io.err()).toContain(code);
    expect(chartOf(io)).toEqual([]);
  });
});
