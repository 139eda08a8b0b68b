import { beforeEach, describe, expect, it } from "vitest";
import { asker, merge, until, type Asker } from "./ask.ts";
import { installWidgets, widget, widgetCrd, widgets } from "./widgets.ts";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

describe("custom resources", () => {
  let api: Asker;
  beforeEach(async () => {
    api = asker();
    await installWidgets(api);
  });

  it("defaults, prunes and fills the metadata", async () => {
    const sent = widget("a", { size: "S", color: "red" });
    const { status, body, headers } = await api.ask("POST", widgets, sent);
    expect(status).toBe(201);
    expect(body.spec).toEqual({ size: "S", replicas: 1 });
    expect(body.metadata).toMatchObject({ name: "a", namespace: "default", generation: 1 });
    expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(headers["warning"]).toEqual(['299 - "unknown field \\"spec.color\\""']);
  });

  it("refuses unknown fields in strict mode, and ignores them on request", async () => {
    const sent = widget("a", { size: "S", color: "red" });
    const strict = await api.ask("POST", `${widgets}?fieldValidation=Strict`, sent);
    expect(strict.status).toBe(400);
    expect(strict.body.message).toBe(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.color"',
    );
    const silent = await api.ask("POST", `${widgets}?fieldValidation=Ignore`, sent);
    expect([silent.status, silent.headers["warning"]]).toEqual([201, undefined]);
  });

  it("names every violation of the schema", async () => {
    const { status, body } = await api.ask("POST", widgets, widget("a", { size: "XXL", replicas: -1 }));
    expect(status).toBe(422);
    expect(body).toMatchObject({ reason: "Invalid", details: { name: "a", group: "example.com", kind: "Widget" } });
    expect(body.details.causes.map(({ field }: any) => field).toSorted()).toEqual([
      ".spec.replicas",
      "spec.replicas",
      "spec.size",
    ]);
  });

  it("drops the status on the main path, and all but the status on /status", async () => {
    await api.ask("POST", widgets, { ...widget("a"), status: { phase: "Ready" } });
    const created = (await api.ask("GET", `${widgets}/a`)).body;
    expect(created.status).toBeUndefined();
    const wanted = { ...created, spec: { size: "L" }, status: { phase: "Ready" } };
    const { body } = await api.ask("PUT", `${widgets}/a/status`, wanted);
    expect([body.spec.size, body.status, body.metadata.generation]).toEqual(["S", { phase: "Ready" }, 1]);
    const spec = await api.ask("PUT", `${widgets}/a`, { ...body, spec: { size: "L" }, status: { phase: "Lost" } });
    expect([spec.body.spec.size, spec.body.status.phase, spec.body.metadata.generation]).toEqual(["L", "Ready", 2]);
  });

  it("refuses a stale write and one without a version", async () => {
    const { body } = await api.ask("POST", widgets, widget("a"));
    await api.ask("PATCH", `${widgets}/a`, { spec: { replicas: 2 } }, merge);
    const stale = await api.ask("PUT", `${widgets}/a`, body);
    expect([stale.status, stale.body.message]).toEqual([
      409,
      'Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes ' +
        "to the latest version and try again",
    ]);
    const blind = await api.ask("PUT", `${widgets}/a`, widget("a"));
    expect([blind.status, blind.body.details.causes[0].field]).toEqual([422, "metadata.resourceVersion"]);
  });

  it("keeps the version when nothing changes", async () => {
    const { body } = await api.ask("POST", widgets, widget("a"));
    const same = await api.ask("PATCH", `${widgets}/a`, { spec: { size: "S" } }, merge);
    expect(same.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  it("survives twenty parallel patches", async () => {
    await api.ask("POST", widgets, widget("a"));
    const patches = Array.from({ length: 20 }, (_, i) =>
      api.ask("PATCH", `${widgets}/a`, { metadata: { labels: { [`k${i}`]: "v" } } }, merge),
    );
    expect((await Promise.all(patches)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { body } = await api.ask("GET", `${widgets}/a`);
    expect(Object.keys(body.metadata.labels)).toHaveLength(20);
  });

  it("survives parallel patches that take long", async () => {
    const configMaps = "/api/v1/namespaces/default/configmaps";
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`key-${n}`, "v"]));
    await api.ask("POST", configMaps, { metadata: { name: "long" }, data });
    const patches = Array.from({ length: 10 }, (_, n) =>
      api.ask("PATCH", `${configMaps}/long`, { data: { ...data, [`new-${n}`]: "v" } }, merge),
    );
    expect((await Promise.all(patches)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  it("scales", async () => {
    await api.ask("POST", widgets, widget("a"));
    const { body } = await api.ask("PATCH", `${widgets}/a/scale`, { spec: { replicas: 4 } }, merge);
    expect(body).toMatchObject({ kind: "Scale", apiVersion: "autoscaling/v1", spec: { replicas: 4 } });
    const scaled = (await api.ask("GET", `${widgets}/a`)).body;
    expect([scaled.spec.replicas, scaled.metadata.generation]).toEqual([4, 2]);
  });

  it("deletes at once, or when the last finalizer goes", async () => {
    await api.ask("POST", widgets, widget("a"));
    expect((await api.ask("DELETE", `${widgets}/a`)).body).toMatchObject({
      kind: "Status",
      status: "Success",
      details: { name: "a", group: "example.com", kind: "widgets" },
    });
    await api.ask("POST", widgets, { ...widget("b"), metadata: { name: "b", finalizers: ["x.io/f"] } });
    const ending = (await api.ask("DELETE", `${widgets}/b`)).body;
    expect(ending.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, generation: 2 });
    await api.ask("PATCH", `${widgets}/b`, { metadata: { finalizers: null } }, merge);
    expect((await api.ask("GET", `${widgets}/b`)).status).toBe(404);
  });

  it("deletes objects with their CRD, after their finalizers", async () => {
    await api.ask("POST", widgets, { ...widget("b"), metadata: { name: "b", finalizers: ["x.io/f"] } });
    await api.ask("DELETE", `${crds}/widgets.example.com`);
    await until(api, `${widgets}/b`, ({ body }) => body.metadata?.deletionTimestamp !== undefined);
    const refused = await api.ask("POST", widgets, widget("c"));
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'widgets.example.com "c" is forbidden: create not allowed while custom resource definition is terminating',
    ]);
    await api.ask("PATCH", `${widgets}/b`, { metadata: { finalizers: null } }, merge);
    await until(api, `${crds}/widgets.example.com`, ({ status }) => status === 404);
    expect((await api.ask("GET", widgets)).body).toBe("404 page not found\n");
  });

  it("serves a name for one CRD at a time, and for another once it is free", async () => {
    const other = widgetCrd({ names: { kind: "Gadget", plural: "gadgets", shortNames: ["wd"] } });
    other.metadata.name = "gadgets.example.com";
    await api.ask("POST", crds, other);
    const path = `${crds}/gadgets.example.com`;
    const { body } = await until(api, path, ({ body }) => body.status.conditions?.length > 0);
    expect(body.status.conditions).toMatchObject([
      { type: "NamesAccepted", status: "False", reason: "ShortNamesConflict", message: '"wd" is already in use' },
      { type: "Established", status: "False", reason: "NotAccepted" },
    ]);
    await api.ask("DELETE", `${crds}/widgets.example.com`);
    await until(api, path, ({ body }) => body.status.conditions[1].status === "True");
  });
});
