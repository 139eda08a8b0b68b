import { beforeEach, describe, expect, it } from "vitest";
import { asker, merge, type Asker } from "./ask.ts";
import { installWidgets, widget, widgetCrd, widgets } from "./widgets.ts";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const crd = `${crds}/widgets.example.com`;

/** The widgets' CRD with rules for their spec. */
function ruled(rules: unknown[], more: Record<string, unknown> = {}): any {
  const changed = widgetCrd();
  const { spec } = changed.spec.versions[0].schema.openAPIV3Schema.properties;
  spec["x-kubernetes-validations"] = rules;
  Object.assign(spec.properties, more);
  return changed;
}

/** Waits until a changed CRD is served, which refuses such a widget. */
async function refused(api: Asker, spec: Record<string, unknown>): Promise<void> {
  const attempt = () => api.ask("POST", `${widgets}?dryRun=All`, widget("probe", spec));
  await expect.poll(async () => (await attempt()).status, { interval: 5 }).toBe(422);
}

describe("CEL rules", () => {
  let api: Asker;
  beforeEach(() => {
    api = asker();
  });

  it("are compiled when the CRD is created", async () => {
    const { status, body } = await api.ask("POST", crds, ruled([{ rule: "self.replicas > 'a'" }, { rule: "self.no" }]));
    expect(status).toBe(422);
    expect(body.details.causes.map(({ field }: any) => field)).toEqual(
      [0, 1].map((index) => `spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[${index}].rule`),
    );
    expect(body.details.causes[1].message).toContain("undefined field 'no'");
  });

  it("are refused above the cost limit", async () => {
    const list = { type: "array", items: { type: "string" } };
    const { status, body } = await api.ask(
      "POST",
      crds,
      ruled([{ rule: "self.list.all(a, self.list.all(b, a == b))" }], { list }),
    );
    expect(status).toBe(422);
    expect(body.message).toContain("estimated rule cost exceeds budget");
  });

  it("are compiled again when an update changes them, which then is refused", async () => {
    await installWidgets(api);
    const spec = ruled([{ rule: "self.no" }]).spec;
    const { status, body } = await api.ask("PATCH", crd, { spec }, merge);
    expect([status, body.details.causes.length]).toEqual([422, 1]);
    const stored = (await api.ask("GET", crd)).body.spec.versions[0].schema.openAPIV3Schema;
    expect(stored.properties.spec["x-kubernetes-validations"]).toBeUndefined();
  });

  it("validate objects, compare with the old one, and ratchet unchanged values", async () => {
    const { spec } = ruled([
      { rule: "self.replicas >= oldSelf.replicas", message: "no shrinking" },
      { rule: "self.size != 'L' || self.replicas > 2", message: "large ones need 3" },
    ]);
    await installWidgets(api);
    await api.ask("POST", widgets, widget("old", { size: "L" }));
    await api.ask("PATCH", crd, { spec }, merge);
    await refused(api, { size: "L" });

    const created = await api.ask("POST", widgets, widget("a", { size: "L" }));
    expect([created.status, created.body.details.causes]).toEqual([
      422,
      [{ reason: "FieldValueInvalid", field: "spec", message: "Invalid value: large ones need 3" }],
    ]);
    const forgiven = await api.ask("PATCH", `${widgets}/old`, { metadata: { labels: { a: "b" } } }, merge);
    expect(forgiven.status).toBe(200);
    expect(forgiven.headers["warning"]).toEqual(['299 - "spec: Invalid value: large ones need 3"']);
    expect((await api.ask("PATCH", `${widgets}/old`, { spec: { replicas: 3 } }, merge)).status).toBe(200);
    const shrunk = await api.ask("PATCH", `${widgets}/old`, { spec: { replicas: 2, size: "S" } }, merge);
    expect(shrunk.body.details.causes.map(({ message }: any) => message)).toEqual(["Invalid value: no shrinking"]);
  });
});

describe("a schema that became stricter", () => {
  it("ratchets values that an update does not change", async () => {
    const api = asker();
    await installWidgets(api);
    await api.ask("POST", widgets, widget("a", { size: "L" }));
    const { spec } = widgetCrd();
    spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.size.enum = ["S", "M"];
    await api.ask("PATCH", crd, { spec }, merge);
    await refused(api, { size: "L" });
    expect((await api.ask("PATCH", `${widgets}/a`, { spec: { replicas: 5 } }, merge)).status).toBe(200);
    await api.ask("PATCH", `${widgets}/a`, { spec: { size: "S" } }, merge);
    expect((await api.ask("PATCH", `${widgets}/a`, { spec: { size: "L" } }, merge)).status).toBe(422);
  });
});
