import { beforeEach, describe, expect, it } from "vitest";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { healthServer, HealthChecks, ping } from "../../../../src/runtime/servers/health.ts";
import { startHttpServer } from "../../../../src/runtime/servers/http-server.ts";
import { runInTest } from "../run.ts";

let base = "";
let broken = false;

beforeEach(async () => {
  broken = false;
  const healthz = new HealthChecks("healthz", discardLogger);
  healthz.add("ping", ping);
  const readyz = new HealthChecks("readyz", discardLogger);
  readyz.add("b-check", () => {
    if (broken) throw new Error("the store is empty");
  });
  readyz.add("a-check", ping);
  await serve(healthz, readyz);
});

async function serve(...checks: HealthChecks[]): Promise<void> {
  const server = healthServer("127.0.0.1:0", discardLogger, checks);
  await server.listen();
  base = `http://127.0.0.1:${server.port}`;
  runInTest((signal) => server.start(signal));
}

async function get(path: string): Promise<[number, string]> {
  const response = await fetch(base + path, { headers: { connection: "close" } });
  return [response.status, await response.text()];
}

describe("the health endpoints", () => {
  it("support other paths", async () => {
    const live = new HealthChecks("healthz", discardLogger, "live/z");
    live.add("ping", ping);
    await serve(live);
    expect(await get("/live/z")).toEqual([200, "ok"]);
    expect(await get("/live/z/ping")).toEqual([200, "ok"]);
    expect(await get("/live/z?verbose")).toEqual([200, "[+]ping ok\nhealthz check passed\n"]);
    expect((await get("/healthz"))[0]).toBe(404);
    expect((await get("/live/zebra"))[0]).toBe(404);
  });

  it.each([
    ["/healthz", 200, "ok"],
    ["/readyz/", 200, "ok"],
    ["/readyz?verbose", 200, "[+]a-check ok\n[+]b-check ok\nhealthz check passed\n"],
    ["/readyz?verbose&exclude=b-check", 200, "[+]a-check ok\n[+]b-check excluded: ok\nhealthz check passed\n"],
    ["/readyz/a-check", 200, "ok"],
    ["/readyz/none", 404, "404 page not found\n"],
    ["/other", 404, "404 page not found\n"],
    ["//", 404, "404 page not found\n"],
  ])("serve %s", async (path, status, text) => {
    expect(await get(path)).toEqual([status, text]);
  });

  it("name a failing check without the reason, and a single check with its reason", async () => {
    broken = true;
    expect(await get("/readyz")).toEqual([
      500,
      "[+]a-check ok\n[-]b-check failed: reason withheld\nhealthz check failed\n",
    ]);
    expect(await get("/readyz/b-check")).toEqual([500, "internal server error: the store is empty\n"]);
    expect(await get("/readyz?exclude=b-check")).toEqual([200, "ok"]);
    expect((await get("/healthz"))[0]).toBe(200);
  });

  it("report exclusions that match nothing", async () => {
    const [, text] = await get("/readyz?verbose&exclude=typo");
    expect(text).toContain('warn: some health checks cannot be excluded: no matches for "typo"\n');
  });

  it("reject a duplicate name", () => {
    const checks = new HealthChecks("healthz", discardLogger);
    checks.add("a", ping);
    expect(() => checks.add("a", ping)).toThrow('health check with the name "a"');
  });
});

describe("a server's address", () => {
  it("is reported with its flag if it is in use", async () => {
    const port = new URL(base).port;
    const second = startHttpServer({
      what: "health probe",
      flag: "--x",
      address: `127.0.0.1:${port}`,
      handler: () => undefined,
    });
    await expect(second).rejects.toMatchObject({ code: "TSOP_BIND_FAILED" });
    await expect(second).rejects.toThrow(
      `the health probe server can't listen on 127.0.0.1:${port}: the port is in use`,
    );
  });

  it.each(["8081", "localhost", ":99999", "::1:80", ""])("rejects %j", async (address) => {
    const server = startHttpServer({ what: "x", flag: "--x", address, handler: () => undefined });
    await expect(server).rejects.toMatchObject({ code: "TSOP_BIND_ADDRESS_INVALID" });
  });
});
