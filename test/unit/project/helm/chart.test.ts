import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { objectsOf, normalize } from "./objects.ts";
import { buildNow, ChartOfScenario, kubectl } from "./recorded-helm.ts";
import { scenarios, withProject } from "./scenarios.ts";
import { toggles } from "./toggles.ts";

describe.each(scenarios)("the chart of $name", (scenario) => {
  let chart: ChartOfScenario;
  beforeAll(async () => {
    chart = await ChartOfScenario.load(scenario);
  });

  it.skipIf(!kubectl)(`is made of what kustomize builds${kubectl ? "" : " (skipped: no kubectl)"}`, async () => {
    expect(await withProject(scenario, buildNow)).toBe(chart.built);
  });

  it("has no duplicate template", () => {
    const paths = chart.files.map(({ path }) => path);
    expect(paths).toEqual([...new Set(paths)]);
  });

  it("renders kustomize's objects by default", async () => {
    const { output = "", error } = await chart.render();
    expect(error).toBeUndefined();
    const rendered = normalize(objectsOf(output), chart.projectName);
    const built = normalize(objectsOf(chart.built), undefined);
    expect([...rendered.keys()].sort()).toEqual([...built.keys()].sort());
    for (const [id, object] of built) expect(rendered.get(id), id).toEqual(object);
  });

  it("passes helm lint --strict", async () => {
    const { output = "", error } = await chart.lint();
    expect(error).toBeUndefined();
    expect(output).toContain("0 chart(s) failed");
    expect(output).not.toMatch(/WARNING|ERROR/);
  });

  it.each(toggles.filter(({ of }) => of === scenario.name))("$values", async ({ values, check }) => {
    const { output = "", error } = await chart.render(values);
    const before = objectsOf((await chart.render()).output ?? "");
    check({ error, before, after: objectsOf(output) });
  });
});

it("toggles every value in some scenario", async () => {
  const chart = await ChartOfScenario.load(scenarios.find(({ name }) => name === "everything")!);
  const values = load(chart.files.find(({ path }) => path === "values.yaml")!.text) as object;
  const set = toggles.flatMap(({ values: text }) => text.split(",").map((one) => one.replace(/[[=].*/, "")));
  const isSet = (path: string): boolean => set.some((one) => one === path || one.startsWith(`${path}.`));
  expect(pathsOf(values, "").filter((path) => !isSet(path))).toEqual([]);
});

/** The values of the chart: groups are those whose members the chart names. */
function pathsOf(value: object, prefix: string): string[] {
  const groups =
    /^(manager|manager\.image|manager\.pod|serviceAccount|rbac|rbac\.helpers|crd|metrics|certManager|webhook|prometheus|networkPolicy)$/;
  return Object.entries(value).flatMap(([key, member]) =>
    groups.test(prefix + key) ? pathsOf(member as object, `${prefix}${key}.`) : [prefix + key],
  );
}

describe("the files of the chart", () => {
  const golden = fileURLToPath(new URL("recorded/everything/chart/", import.meta.url));

  it("are those of the golden chart (TSOP_RECORD=1 with Helm rewrites it)", async () => {
    const chart = await ChartOfScenario.load(scenarios.find(({ name }) => name === "everything")!);
    if (process.env["TSOP_RECORD"] === "1") chart.writeTo(golden);
    const files = readdirSync(golden, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(golden.length));
    expect(paths.sort()).toEqual(chart.files.map(({ path }) => path).sort());
    for (const { path, text } of chart.files) expect(readFileSync(join(golden, path), "utf8"), path).toBe(text);
  });
});
