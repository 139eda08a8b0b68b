import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectNames, writeProject } from "../golden/stored-projects.mjs";
import { isRelease } from "../is-release.ts";
import { findProgram, linkPackages, mustRun, repository, run, temporaryFolder } from "./shell.ts";

const kubectl = findProgram("kubectl");
const operatorSdk = findProgram("operator-sdk");
const opm = findProgram("opm");
const examples = readdirSync(join(repository, "examples")).filter((name) =>
  existsSync(join(repository, "examples", name, "PROJECT")),
);
const isOwn = (path: string): boolean => !path.includes("node_modules");

/** The examples have webhooks, conversions and several kinds; other golden projects differ in what a bundle leaves out. */
const golden = isRelease ? projectNames : ["multigroup", "namespaced"];

/** Projects of this repository, packed for OLM by their Makefiles. `make bundle` needs kubectl. */
describe.skipIf(!kubectl).each([...examples, ...golden])("the bundle of %s", (name) => {
  const folder = temporaryFolder("bundle");
  const project = join(folder.path, "project");
  const tsop = join(repository, "bin/tsop.js");
  const make = (): Promise<string> =>
    mustRun("make", ["bundle", `TSOP=${process.execPath} ${tsop}`, `KUBECTL=${kubectl}`], { cwd: project });
  // Outside of the project: operator-sdk fails to start in a folder whose PROJECT names an unknown plugin.
  const outside = { cwd: folder.path };

  beforeAll(async () => {
    if (projectNames.includes(name)) writeProject(name, project);
    else cpSync(join(repository, "examples", name), project, { recursive: true, filter: isOwn });
    linkPackages(project);
    await make();
  });
  afterAll(() => folder.remove());

  it("is reproducible and changes no other file", async () => {
    const before = readFiles(project);
    await make();
    expect(readFiles(project)).toEqual(before);
  });

  it("passes all validators", async () => {
    const args = [tsop, "bundle", "validate", "./bundle", "--select-optional", "suite=operatorframework"];
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: project });
    expect(code, `${stdout}${stderr}`).toBe(0);
  });

  it("passes the scorecard tests of a bundle's form", async () => {
    const args = [
      tsop,
      "scorecard",
      "./bundle",
      "--selector",
      "test in (basic-check-spec-test,olm-bundle-validation-test)",
    ];
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: project });
    expect(code, `${stdout}${stderr}`).toBe(0);
  });

  it.skipIf(!operatorSdk)("passes all validators of the real operator-sdk (skipped without it)", async () => {
    const args = ["bundle", "validate", "project/bundle", "--select-optional", "suite=operatorframework"];
    const { code, stderr } = await run(operatorSdk!, args, outside);
    expect(code, stderr).toBe(0);
  });

  it.skipIf(!opm)("renders alike in opm and tsop, in a catalog that opm accepts (skipped without opm)", async () => {
    await mustRun(process.execPath, [tsop, "bundle", "catalog", "./bundle", "--image", "example.com/op:v1"], {
      cwd: project,
    });
    await mustRun(opm!, ["validate", "project/catalog"], outside);
    const rendered = JSON.parse(await mustRun(opm!, ["render", "project/bundle"], outside)) as object;
    const [text] = Object.values(readFiles(join(project, "catalog")));
    const blobs = loadAll(text!) as Blob[];
    const { image: _, relatedImages: __, ...ours } = blobs.find(({ schema }) => schema === "olm.bundle")!;
    expect(rendered).toMatchObject(ours);
  });
});

interface Blob {
  readonly schema: string;
  /** Missing from opm's output for a folder. */
  readonly image: string;
  readonly relatedImages: unknown;
}

function readFiles(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, "utf8")]));
}
