import { request, type IncomingMessage } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { ProfileServer } from "../../../../src/runtime/servers/profile-server.ts";
import { manualClock, type ManualClock } from "../../../../src/testing/manual-clock.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";

let base = "";
let clock: ManualClock;
let running: ReturnType<typeof runInTest>;

beforeEach(async () => {
  clock = manualClock(new Date(0));
  const server = new ProfileServer("127.0.0.1:0", { log: discardLogger, clock });
  base = `http://127.0.0.1:${(await server.listen()).port}/debug/pprof`;
  running = runInTest((signal) => server.start(signal));
});

function get(path: string): Promise<Response> {
  return fetch(base + path, { headers: { connection: "close" } });
}

interface Profile {
  readonly nodes: readonly unknown[];
  readonly endTime: number;
}

describe("profiles", () => {
  it("of the CPU take the requested time", async () => {
    const answer = get("/profile?seconds=20");
    await until("the profile has begun", () => clock.pending === 1);
    await clock.advance(20_000);
    const profile = (await (await answer).json()) as Profile;
    expect(profile.nodes.length).toBeGreaterThan(0);
    expect(profile.endTime).toBeGreaterThan(0);
  });

  it("of the CPU are taken one at a time, and end with the server", async () => {
    const first = get("/profile");
    await until("the profile has begun", () => clock.pending === 1);
    const second = await get("/profile?seconds=1");
    expect([second.status, await second.text()]).toEqual([500, "a profile is being taken already\n"]);
    running.stop.abort();
    await running.done;
    expect((await first).status).toBe(200);
  });

  it("of the heap have the format of developer tools", async () => {
    const answer = await get("/heap");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="heap.heapsnapshot"');
    const { snapshot } = (await answer.json()) as { snapshot: { node_count: number } };
    expect(snapshot.node_count).toBeGreaterThan(1000);
  });

  it.each([
    ["/", 200, "heap "],
    ["/profile?seconds=soon", 400, 'seconds must be a number above 0, not "soon"\n'],
    ["/trace", 404, "404 page not found\n"],
  ])("respond to %s", async (path, status, text) => {
    const answer = await get(path);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(text)]);
  });

  it.each([
    [{ host: "pages.example.com" }, 403],
    [{ host: "localhost:6060", "sec-fetch-site": "cross-site" }, 403],
    [{ host: "localhost:6060", "sec-fetch-site": "none" }, 200],
    [{ host: "[::1]:6060" }, 200],
  ])("are not for web pages: %j", async (headers, status) => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${base}/`, { headers, agent: false }, resolve).on("error", reject).end();
    });
    expect(answer.resume().statusCode).toBe(status);
  });

  it("are not found at an invalid URL", async () => {
    expect((await fetch(`${new URL(base).origin}//`)).status).toBe(404);
  });
});
