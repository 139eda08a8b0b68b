import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { processMetrics } from "../../../../src/runtime/metrics/prometheus-metrics.ts";
import { MetricsServer } from "../../../../src/runtime/servers/metrics-server.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";

it("renders the metrics once for all requests of a client that reads no response before it sends the next", async () => {
  const metrics = processMetrics();
  let collected = 0;
  const { Gauge } = await import("prom-client");
  const registry = await metrics.registry();
  const gauge = new Gauge({ name: "collections", help: "x", registers: [], collect: () => void collected++ });
  registry.registerMetric(gauge);
  onTestFinished(() => registry.removeSingleMetric("collections"));
  const parts = { log: discardLogger, clock: manualClock(new Date(0)), metrics, client: undefined as never };
  const server = new MetricsServer({ bindAddress: "127.0.0.1:0" }, parts);
  await server.listen();
  runInTest((signal) => server.start(signal));

  const socket = connect(server.port!, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => (received += text));
  socket.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100));
  await until("all responses", () => received.match(/^HTTP\/1.1 200 OK/gm)?.length === 100);
  expect(collected).toBe(1);
});
