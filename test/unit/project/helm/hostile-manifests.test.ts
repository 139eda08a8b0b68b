import { expect, it } from "vitest";
import { emitYaml } from "../../../../src/apimachinery/yaml/emit.ts";
import { planChart } from "../../../../src/project/helm/plan-chart.ts";
import { parseProject } from "../../../../src/project/parse-project.ts";
import { memoryIo } from "../../cli/memory-io.ts";

const text = 'layout: typescript.tsop.dev/v1\nprojectName: demo\nversion: "3"\n';
const manager = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "demo-controller-manager", namespace: "demo-system" },
  spec: { template: { spec: { containers: [{ name: "manager", image: "a:b" }] } } },
};

/** Returns the template of the object in a chart with the manager. */
async function templateOf(object: object): Promise<string> {
  const manifests = {
    text: [manager, object].map((one) => `---\n${emitYaml(one)}`).join(""),
    file: "in",
    isFile: false,
  };
  const loaded = { root: "/p", text, project: parseProject(text, "PROJECT") };
  const { plan } = await planChart(
    loaded,
    { manifests, force: false },
    memoryIo({ files: { "/p/PROJECT": text } }).disk,
  );
  const extra = plan.changes.find(({ path }) => path.includes("templates/extra/"));
  return extra?.type === "create" ? extra.text : "";
}

const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "demo-config" }, data: { key: "value" } };
const evil = "{{ lookup }}";

it.each([
  ["a text that is marked as template text", { ...config, data: { key: `\uE000${evil}\uE001` } }],
  ["a key that is marked as template text", { ...config, data: { [`\uE000${evil}\uE001`]: "a" } }],
  ["the mark of a slot", { ...config, data: { key: "\uE0000\uE001" } }],
  ["a kind that ends the comment of a template", { ...config, kind: `A */ -}}${evil}` }],
  ["a kind that is not a text", { ...config, kind: ["A"] }],
  ["a name that leads out of the folder", { ...config, metadata: { name: "../../../config/x" } }],
  ["a name that is a pattern", { ...config, metadata: { name: "demo-(a+)+$" } }],
  ["a namespace that is text of a Makefile", { ...config, metadata: { name: "a", namespace: "$(shell id)" } }],
])("rejects %s", async (_, object) => {
  await expect(templateOf(object)).rejects.toMatchObject({ code: "TSOP_HELM_OBJECT" });
});

it("writes the words that once stood for slots, and braces, as they are", async () => {
  const template = await templateOf({ ...config, data: { a: "TSOPSLOT0E", b: evil } });
  expect(template).toContain("  a: TSOPSLOT0E\n");
  expect(template).toContain(`  b: '{{ "{{" }} lookup }}'\n`);
});
