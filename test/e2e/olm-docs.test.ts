import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeProject } from "../golden/stored-projects.mjs";
import { startRegistry, type Registry } from "../unit/oci/start-registry.ts";
import { findProgram, linkPackages, mustRun, repository, temporaryFolder } from "./shell.ts";

const page = readFileSync(join(repository, "docs/olm.md"), "utf8");
const blocks = [...page.matchAll(/^```(sh\b.*)\n([\s\S]*?)^```$/gm)].map(([, info = "", code = ""]) => ({
  info,
  code,
}));
const kubectl = findProgram("kubectl");

/** The commands of docs/olm.md in order. Needs kubectl; a registry stands in for registry.example.com. */
describe.skipIf(!kubectl)("docs/olm.md", () => {
  const folder = temporaryFolder("olm-docs");
  const project = join(folder.path, "memcached-operator");
  let registry: Registry;

  beforeAll(async () => {
    registry = await startRegistry();
    const filter = (path: string): boolean => !path.includes("node_modules");
    cpSync(join(repository, "examples/memcached-operator"), project, { recursive: true, filter });
    linkPackages(project);
  });
  afterAll(async () => {
    await registry.stop();
    folder.remove();
  });

  it.each(blocks.filter(({ info }) => info === "sh"))("$code", async ({ code }) => {
    const here = code.replaceAll("registry.example.com", registry.host);
    await mustRun("bash", ["-euc", here], { cwd: project, env: { KUBECTL: kubectl!, HOME: folder.path } });
  });

  it("ends with a catalog of both versions", () => {
    const catalog = readFileSync(join(project, "catalog/memcached-operator/catalog.yaml"), "utf8");
    expect(catalog).toContain("- name: memcached-operator.v0.0.2\n  replaces: memcached-operator.v0.0.1\n");
    expect(catalog).toContain(`image: ${registry.host}/team/memcached-operator-bundle:v0.0.2\n`);
  });

  it("has a short form in the README of a generated project, from a bundle to a catalog", async () => {
    const scaffolded = join(folder.path, "scaffolded");
    writeProject("webhooks", scaffolded);
    linkPackages(scaffolded);
    const readme = readFileSync(join(scaffolded, "README.md"), "utf8");
    const [, code = ""] = /^```sh\n(make bundle [\s\S]*?)^```$/m.exec(readme) ?? [];
    expect(code.trim().split("\n")).toHaveLength(3);
    const here = code.replaceAll("<registry>", `${registry.host}/team`);
    // Only the image of the catalog, which holds opm, needs a container engine.
    const env = { KUBECTL: kubectl!, HOME: folder.path, CONTAINER_TOOL: "echo" };
    const output = await mustRun("bash", ["-euc", here], { cwd: scaffolded, env });
    const name = /make bundle IMG=<registry>\/(.*):v0\.0\.1/.exec(readme)![1]!;
    expect(output).toContain(`build -f catalog.Dockerfile -t ${registry.host}/team/${name}-catalog:v0.0.1 .`);
    expect(output).toContain(`push ${registry.host}/team/${name}-catalog:v0.0.1`);
    const catalog = readFileSync(join(scaffolded, "catalog", name, "catalog.yaml"), "utf8");
    expect(catalog).toContain(`image: ${registry.host}/team/${name}-bundle:v0.0.1\n`);
  });

  it("gives a reason for each command that the test skips", () => {
    const others = blocks.filter(({ info }) => info !== "sh").map(({ info }) => info);
    expect(others.filter((info) => !/^sh ignore: \S/.test(info))).toEqual([]);
  });
});
