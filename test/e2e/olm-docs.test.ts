import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registryProgram, startRegistry, type Registry } from "../unit/olm/registry/start-registry.ts";
import { findProgram, linkPackages, must, repository, temporaryFolder } from "./shell.ts";

const page = readFileSync(join(repository, "docs/olm.md"), "utf8");
const blocks = [...page.matchAll(/^```(sh\b.*)\n([\s\S]*?)^```$/gm)].map(([, info = "", code = ""]) => ({
  info,
  code,
}));
const kustomize = findProgram("kustomize");

/** What docs/olm.md says, typed in its order. Needs kustomize, and docker-registry as the registry.example.com. */
describe.skipIf(!kustomize || !registryProgram)("docs/olm.md", () => {
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
    await must("bash", ["-euc", here], { cwd: project, env: { KUSTOMIZE: kustomize!, HOME: folder.path } });
  });

  it("ends with a catalog of both versions", () => {
    const catalog = readFileSync(join(project, "catalog/memcached-operator/catalog.yaml"), "utf8");
    expect(catalog).toContain("- name: memcached-operator.v0.0.2\n  replaces: memcached-operator.v0.0.1\n");
    expect(catalog).toContain(`image: ${registry.host}/team/memcached-operator-bundle:v0.0.2\n`);
  });

  it("says why a command is not run here", () => {
    const others = blocks.filter(({ info }) => info !== "sh").map(({ info }) => info);
    expect(others.filter((info) => !/^sh ignore: \S/.test(info))).toEqual([]);
  });
});
