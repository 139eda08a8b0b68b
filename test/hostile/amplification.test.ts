import { expect, it } from "vitest";
import { installKind } from "./install-kind.ts";
import { applyPatch, describeEmbedded } from "./server.ts";

const core = "/api/v1/namespaces/default";
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

// Short requests that once led to gigabytes, or to minutes of work.
describeEmbedded("what a request leads to", ["--simulate", "off"], (server) => {
  const long = "k".repeat(500_000);

  it("is limited for repeated and unknown fields below a long key", async () => {
    const pairs = many(9_000, (at) => `"a${at}":1,"a${at}":2`).join();
    const repeated = `{"metadata":{"name":"r"},"z":1,"${long}":{${pairs}}}`;
    expect((await server.ask("POST", `${core}/configmaps`, repeated)).status).toBe(201);
  });

  it("is limited for wrong values and conflicts below a long key", async () => {
    const set = { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } };
    const member = { type: "object", properties: { number: { type: "integer" }, set } };
    const inner = { type: "object", additionalProperties: member };
    const spec = { type: "object", additionalProperties: inner };
    const path = await installKind(server, { plural: "keyeds", kind: "Keyed" }, { spec });
    const keyed = (name: string, content: string) =>
      `{"apiVersion":"hostile.example.com/v1","kind":"Keyed","metadata":{"name":"${name}"},` +
      `"spec":{"${long}":{${many(9_000, (at) => `"b${at}":{${content}}`).join()}}}}`;
    const wrong = await server.ask("POST", path, keyed("w", `"number":"x"`));
    expect(wrong.body).toMatchObject({ code: 422, message: expect.stringContaining("must be of type integer") });
    const twice = await server.ask("PATCH", `${path}/s?fieldManager=f`, keyed("s", `"set":["x","x"]`), applyPatch);
    expect(twice.body.message).toContain('duplicate entries for key [="x"]');
    const apply = (manager: string, number: number) =>
      server.ask("PATCH", `${path}/n?fieldManager=${manager}`, keyed("n", `"number":${number}`), applyPatch);
    expect((await apply("f", 1)).status).toBe(201);
    const conflict = await apply("g", 2);
    expect(conflict.body.message).toContain("Apply failed with 9000 conflicts");
    expect(conflict.body.details.causes.length).toBe(1_000);
  });

  it("is limited by the checks of a schema", async () => {
    const words = many(10_000, (at) => `word${at}`);
    const branches = many(900, (at) => ({ properties: { x: { enum: [at] } } }));
    const path = await installKind(
      server,
      { plural: "checkeds", kind: "Checked" },
      {
        words: { type: "array", items: { type: "string", enum: words } },
        any: { type: "array", items: { type: "object", properties: { x: { type: "integer" } }, anyOf: branches } },
        texts: { type: "array", items: { type: "string", pattern: `^(${"x?".repeat(2_000)})*y$` } },
      },
    );
    const checked = (name: string, content: object) => ({
      apiVersion: "hostile.example.com/v1",
      kind: "Checked",
      metadata: { name },
      ...content,
    });
    const last = many(10_000, () => "word9999");
    expect((await server.ask("POST", path, checked("a", { words: last }))).status).toBe(201);
    const wrong = await server.ask("POST", path, checked("b", { words: many(10_000, () => "other") }));
    expect(wrong.body).toMatchObject({ code: 422 });
    const tooMuch = {
      code: 422,
      message: expect.stringContaining("the schema needs more than 400000 checks for this value"),
    };
    const any = many(5_000, () => ({ x: 899 }));
    expect((await server.ask("POST", path, checked("c", { any }))).body).toMatchObject(tooMuch);
    const texts = ["x".repeat(500_000)];
    expect((await server.ask("POST", path, checked("d", { texts }))).body).toMatchObject(tooMuch);
  });

  it("is limited for LimitRanges and quotas", async () => {
    const amounts = (count: number) => Object.fromEntries(many(count, (at) => [`example.com/r${at}`, "9"]));
    const range = (name: string, count: number) => ({
      metadata: { name },
      spec: { limits: [{ type: "Container", default: amounts(count) }] },
    });
    const ranges = `${core}/limitranges`;
    const tooMany = { code: 422, message: expect.stringContaining("Too many: 15000: must have at most 1000 items") };
    expect((await server.ask("POST", ranges, range("l", 15_000))).body).toMatchObject(tooMany);
    expect((await server.ask("POST", ranges, range("l", 900))).status).toBe(201);
    const pod = (count: number) => ({
      metadata: { generateName: "p-" },
      spec: { containers: many(count, (at) => ({ name: `c${at}`, image: "i" })) },
    });
    expect((await server.ask("POST", `${core}/pods`, pod(2))).status).toBe(201);
    expect((await server.ask("POST", `${core}/pods`, pod(400))).body).toMatchObject({
      code: 413,
      message: expect.stringContaining(
        "the LimitRanges of its namespace need more than 20000 checks of its containers",
      ),
    });
    await server.ask("DELETE", `${ranges}/l`);
    const quota = { metadata: { name: "q" }, spec: { hard: amounts(15_000) } };
    expect((await server.ask("POST", `${core}/resourcequotas`, quota)).body).toMatchObject(tooMany);
  });

  it("is limited for schedules and annotations of autoscalers", async () => {
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
    const schedule = `${"0-59,".repeat(250_000)}1 * * * *`;
    const cronJob = { metadata: { name: "c" }, spec: { schedule, jobTemplate: { spec: { template } } } };
    const { body } = await server.ask("POST", "/apis/batch/v1/namespaces/default/cronjobs", cronJob);
    expect(body).toMatchObject({
      code: 422,
      message: expect.stringContaining("a schedule may have at most 1024 characters"),
    });
    const annotations = { "autoscaling.alpha.kubernetes.io/metrics": JSON.stringify(many(80_000, () => ({}))) };
    const scaler = {
      metadata: { name: "h", annotations },
      spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
    };
    const scalers = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
    expect((await server.ask("POST", scalers, scaler)).status).toBe(201);
  });

  it("is limited for the expressions of a policy", async () => {
    const policy = {
      metadata: { name: "p.example.com" },
      spec: {
        matchConstraints: {
          resourceRules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["secrets"] }],
        },
        variables: many(2_000, (at) => ({ name: `v${at}`, expression: at > 0 ? `variables.v${at - 1} + 1` : "1" })),
        validations: [{ expression: "true" }],
      },
    };
    const path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    const { body } = await server.ask("POST", path, policy);
    expect(body.message).toContain("spec.variables: Too many: 2000: must have at most 500 items");
  });

  it("is limited for exponents in an unterminated text", async () => {
    const { body } = await server.ask("POST", `${core}/configmaps`, `{"n":1e999,"${String.raw`\"`.repeat(1_400_000)}`);
    expect(body).toMatchObject({ code: 400 });
    const digits = await server.ask("POST", `${core}/configmaps`, `{"n":${"1".repeat(2_900_000)},"m":1e400}`);
    expect(digits.body.message).toContain("cannot unmarshal number 1e400");
  });
});
