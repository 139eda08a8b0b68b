import { describe, expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import type { Manager } from "../../../../src/runtime/manager/manager.ts";
import { processMetrics } from "../../../../src/runtime/metrics/prometheus-metrics.ts";
import { admission } from "../../../../src/runtime/webhook/admission.ts";
import { hubSpoke, spoke } from "../../../../src/runtime/webhook/converter.ts";
import { webhookManagedBy } from "../../../../src/runtime/builders/webhook-builder.ts";
import { WebhookServer } from "../../../../src/runtime/webhook/webhook-server.ts";
import { manualClock, type ManualClock } from "../../../../src/testing/manual-clock.ts";
import { until } from "../until.ts";
import { post, serveWebhooks } from "./serve-webhooks.ts";

const metrics = processMetrics();
const Thing = defineKind({ group: "example.com", version: "v1", kind: "Thing", plural: "things" });
const OldThing = defineKind({ group: "example.com", version: "v0", kind: "Thing", plural: "things" });

const start = (setUp: (server: WebhookServer, manager: Manager) => void, clock?: ManualClock) =>
  serveWebhooks(setUp, {}, { metrics, ...(clock && { clock }) });

const review = JSON.stringify({
  kind: "AdmissionReview",
  apiVersion: "admission.k8s.io/v1",
  request: { uid: "u", operation: "CREATE", userInfo: {}, object: { metadata: { name: "a" } } },
});

async function value(series: string): Promise<number> {
  const lines = (await (await metrics.registry()).metrics()).split("\n");
  return Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length) ?? NaN);
}

describe("the metrics of webhooks", () => {
  it("count requests by code, with their duration and those in flight", async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const clock = manualClock(new Date(0));
    const { server } = await start((it) => {
      it.register("/held", () => held.then(() => admission.allowed()));
      it.register("/broken", () => Promise.reject(new TypeError("a slip")), { recoverPanic: false });
    }, clock);
    const labels = (path: string, code: string): string => `{webhook="${path}",code="${code}"}`;
    const total = "controller_runtime_webhook_requests_total";
    expect([await value(total + labels("/held", "200")), await value(total + labels("/held", "500"))]).toEqual([0, 0]);

    const underWay = 'controller_runtime_webhook_requests_in_flight{webhook="/held"}';
    const asked = post(server, "/held", review);
    await until("the request", async () => (await value(underWay)) === 1);
    await clock.advance(2_000);
    answer();
    expect((await asked).status).toBe(200);
    expect((await post(server, "/broken", review)).status).toBe(500);

    expect(await value(underWay)).toBe(0);
    expect([await value(total + labels("/held", "200")), await value(total + labels("/broken", "500"))]).toEqual([
      1, 1,
    ]);
    expect(await value('controller_runtime_webhook_latency_seconds_sum{webhook="/held"}')).toBe(2);
  });

  it("count panics of handlers and of conversions separately", async () => {
    const slip = (): never => {
      throw new TypeError("a slip");
    };
    const { server } = await start((it) => {
      it.register("/slips", slip);
      it.registerConverter(hubSpoke(Thing, [spoke(OldThing, slip, slip)]));
    });
    const names = ["webhook_panics_total", "conversion_webhook_panics_total"];
    const readCounts = (): Promise<number[]> => Promise.all(names.map((name) => value(`controller_runtime_${name}`)));
    const [admissions = 0, conversions = 0] = await readCounts();
    await post(server, "/slips", review);
    expect(await readCounts()).toEqual([admissions + 1, conversions]);
    const objects = [{ apiVersion: "example.com/v0", kind: "Thing", metadata: { name: "a" } }];
    const request = { uid: "c", desiredAPIVersion: "example.com/v1", objects };
    const conversion = { kind: "ConversionReview", apiVersion: "apiextensions.k8s.io/v1", request };
    await post(server, "/convert", JSON.stringify(conversion));
    expect(await readCounts()).toEqual([admissions + 1, conversions + 1]);
  });
});

it("port -1 serves nothing", async () => {
  const server = new WebhookServer(
    { port: -1 },
    { log: discardLogger, clock: manualClock(new Date(0)), metrics: undefined },
  );
  server.register("/a", () => admission.allowed());
  await server.listen();
  expect(server.port).toBeUndefined();
});

it("a registered path keeps its handler", async () => {
  const path = "/validate-example-com-v1-thing";
  const { server } = await start((it, manager) => {
    it.register(path, () => admission.denied("the first one"));
    webhookManagedBy(manager, Thing).withValidator({}).complete();
  });
  expect((await post(server, path, review)).body).toContain("the first one");
});

it("a denial changes nothing, whatever its handler returns", async () => {
  const patch = [{ op: "add", path: "/spec", value: {} }] as const;
  const { server } = await start((it) => it.register("/odd", () => ({ ...admission.denied("no"), patch })));
  const { response } = JSON.parse((await post(server, "/odd", review)).body) as { response: object };
  expect(response).toMatchObject({ allowed: false });
  expect(response).not.toHaveProperty("patch");
});
