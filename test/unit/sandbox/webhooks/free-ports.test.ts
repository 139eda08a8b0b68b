import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { freePorts } from "../../../../src/sandbox/webhooks/webhook-endpoint.ts";

it("finds different ports, which no outgoing connection takes", async () => {
  const ports = await freePorts(20);
  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(ports[0], "127.0.0.1", resolve);
  });
});
