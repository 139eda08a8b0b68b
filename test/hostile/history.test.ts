import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { target } from "../conformance/apiserver/target.ts";
import { describeEmbedded } from "./server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const updates = 500;
/** The limited history and its garbage have 320 to 600 MB; without a limit, it has 1,130. */
const mostResident = 850 * 1024 ** 2;

describeEmbedded("history", ["--simulate", "off"], (server) => {
  it(
    `of ${updates} updates of a ConfigMap of 1 MB is limited, and an unread watch ends`,
    { timeout: 120_000 },
    async () => {
      const { config } = server;
      const access = { url: config.server, ca: String(config.ca), token: String(config.token) };
      const client = target("embedded", access, () => Promise.resolve());
      const map = (value: number) => ({
        metadata: { name: "large" },
        data: { value: String(value).padEnd(1_000_000) },
      });
      const { body: first } = await server.ask("POST", maps, map(0));
      const since = first.metadata.resourceVersion;
      const watch = (version: string): Promise<IncomingMessage> =>
        client.send("GET", `${maps}?watch=true&resourceVersion=${version}`);
      const unread = await watch(since);
      for (let at = 1; at <= updates; at++)
        (await client.send("PUT", `${maps}/large`, { body: JSON.stringify(map(at)) })).resume();
      const { body: last } = await server.ask("GET", `${maps}/large`);
      expect(last.data.value).toBe(map(updates).data.value);
      expect(server.residentBytes() ?? 0).toBeLessThan(mostResident);
      let received = 0;
      for await (const chunk of unread) received += (chunk as Buffer).length;
      expect(received).toBeLessThan(100_000_000);
      let late = "";
      for await (const chunk of await watch(since)) late += String(chunk);
      expect(JSON.parse(late)).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
      await client.stop();
    },
  );
});
