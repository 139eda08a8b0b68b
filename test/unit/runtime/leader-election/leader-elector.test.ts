import { afterEach, describe, expect, it, vi } from "vitest";
import { createApiServer } from "../../../../src/apiserver/create-api-server.ts";
import { createClient } from "../../../../src/client/create-client.ts";
import { mergePatch } from "../../../../src/client/patches.ts";
import { LeaderElector, type LeaderElectorOptions } from "../../../../src/runtime/leader-election/leader-elector.ts";
import { leaseTimes } from "../../../../src/runtime/leader-election/leader-election-options.ts";
import { Lease } from "../../../../src/runtime/leader-election/lease-object.ts";
import { WriteFence } from "../../../../src/runtime/manager/write-fence.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { embeddedClient, type EmbeddedClient } from "../embedded-client.ts";
import { manualClock, type ManualClock, settle } from "../../../../src/testing/manual-clock.ts";

const key = { namespace: "default", name: "operator.example.com" };
const signals: AbortController[] = [];

afterEach(() => {
  for (const signal of signals.splice(0)) signal.abort();
});

interface Candidate extends EmbeddedClient {
  readonly elector: LeaderElector;
  readonly stop: AbortController;
  readonly changes: boolean[];
  leads: boolean;
  /** The result of holding the lease. */
  end: Promise<unknown>;
}

/** Creates a candidate. Several candidates can share a server and a clock. */
function candidate(
  identity: string,
  { server, clock }: { server: ReturnType<typeof createApiServer>; clock: ManualClock },
  options: Partial<LeaderElectorOptions> = {},
): Candidate {
  const embedded = embeddedClient(server);
  const stop = new AbortController();
  signals.push(stop);
  const changes: boolean[] = [];
  const elector = new LeaderElector({
    client: embedded.client,
    ...key,
    identity,
    times: leaseTimes({}),
    log: discardLogger,
    clock,
    random: () => 0,
    onChange: (leads) => changes.push(leads),
    ...options,
  });
  const result = Object.assign(embedded, {
    elector,
    stop,
    changes,
    leads: false,
    end: Promise.resolve<unknown>(undefined),
  });
  result.end = elector.acquire(stop.signal).then(async (acquired) => {
    if (!acquired) return "never led";
    result.leads = true;
    try {
      await elector.hold(stop.signal);
      return "released";
    } catch (error) {
      return error;
    } finally {
      result.leads = false;
    }
  });
  return result;
}

function setUp() {
  return { server: createApiServer(), clock: manualClock(new Date(0)) };
}

/** Creates the first candidate of a server, which leads. */
async function leader(options: Partial<LeaderElectorOptions> = {}) {
  const shared = setUp();
  const logged: unknown[] = [];
  const log = { ...discardLogger, error: (error: unknown) => void logged.push(error) };
  const a = candidate("a", shared, { log, ...options });
  await settle();
  return { a, shared, clock: shared.clock, logged };
}

async function spec(from: EmbeddedClient) {
  return (await from.client.get(Lease, key)).spec!;
}

describe("leader election", () => {
  it("creates a missing lease, with timestamps of six digits", async () => {
    const { a } = await leader();
    expect(a.leads).toBe(true);
    const lease = await spec(a);
    expect(lease).toMatchObject({ holderIdentity: "a", leaseDurationSeconds: 15, leaseTransitions: 0 });
    expect(lease.renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(a.changes).toEqual([false, true]);
  });

  it("renews with one request every retry period", async () => {
    const { a, clock } = await leader();
    const before = a.requests.length;
    await clock.advance(10_000);
    expect(a.requests.slice(before)).toEqual(Array.from({ length: 5 }, () => `PUT ${path}`));
    const { acquireTime, leaseTransitions } = await spec(a);
    expect(acquireTime).toBeDefined();
    expect(leaseTransitions).toBe(0);
  });

  it("waits a full lease duration after the last observed change, and then takes over", async () => {
    const { a, shared } = await leader();
    const b = candidate("b", shared);
    await shared.clock.advance(30_000);
    expect([a.leads, b.leads]).toEqual([true, false]);
    a.cut = true;
    await shared.clock.advance(10_000);
    expect(b.leads).toBe(false);
    await shared.clock.advance(8_000);
    expect(b.leads).toBe(true);
    expect(await spec(b)).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
  });

  it("gives up the lease of a frozen process, even if the lease was deleted in the meantime", async () => {
    const shared = setUp();
    let frozenMs = 0;
    const a = candidate("a", shared, { clock: { ...shared.clock, now: () => shared.clock.now() + frozenMs } });
    await settle();
    expect(a.leads).toBe(true);
    await a.client.delete(Lease, key);
    frozenMs = 60_000;
    await shared.clock.advance(2_000);
    expect(await a.end).toMatchObject({ code: "TSOP_LEADERSHIP_LOST" });
    expect(await a.client.getOrUndefined(Lease, key)).toBeUndefined();
  });

  it("gives up the lease at once if another process has taken it under the same identity", async () => {
    const { a, shared } = await leader();
    const namesake = candidate("a", shared);
    await settle();
    expect([a.leads, namesake.leads]).toEqual([true, true]);
    await shared.clock.advance(2_000);
    expect(await a.end).toMatchObject({ code: "TSOP_LEADERSHIP_LOST" });
    expect(namesake.leads).toBe(true);
    expect(() => a.elector.assertLeading()).toThrow("blocked");
    await shared.clock.advance(20_000);
    expect(namesake.leads).toBe(true);
  });

  it("gives up the lease if the server shows an older state, and suggests a restored backup", async () => {
    const { a, clock, logged } = await leader();
    const backup = await spec(a);
    await clock.advance(2_000);
    await a.client.patch(Lease, key, mergePatch({ spec: backup }));
    await clock.advance(2_000);
    expect(await a.end).toMatchObject({ code: "TSOP_LEADERSHIP_LOST" });
    const message = expect.stringContaining("or the API server was restored from a backup") as string;
    expect(logged).toEqual([expect.objectContaining({ code: "TSOP_LEASE_NAMESAKE", message })]);
  });

  it("never has two leaders: the old one stops before the new one starts", async () => {
    const { a, shared } = await leader();
    const b = candidate("b", shared);
    a.cut = true;
    for (let step = 0; step < 300; step++) {
      await shared.clock.advance(100);
      expect(a.leads && b.leads).toBe(false);
    }
    expect([a.leads, b.leads]).toEqual([false, true]);
    const hint = expect.stringMatching(/^the Lease was not renewed in time, .* or another replica has it/) as string;
    expect(await a.end).toMatchObject({ code: "TSOP_LEADERSHIP_LOST", hint });
    expect(a.changes).toEqual([false, true, false]);
  });

  it.each([
    ["by its own clock, not the times in the record", "2001-01-01T00:00:00.000000Z", 15],
    ["by the duration in the record, not its own setting", "2026-01-01T00:00:00.000000Z", 60],
  ])("decides when a lease ends %s", async (_by, time, leaseDurationSeconds) => {
    const shared = setUp();
    const other = embeddedClient(shared.server);
    const times = { leaseDurationSeconds, acquireTime: time, renewTime: time };
    await other.client.create(Lease, { metadata: key, spec: { holderIdentity: "other", ...times } });
    const b = candidate("b", shared);
    await shared.clock.advance((leaseDurationSeconds - 1) * 1000);
    expect(b.leads).toBe(false);
    await shared.clock.advance(4_000);
    expect(b.leads).toBe(true);
  });

  it("allows another candidate to lead as soon as it releases the lease", async () => {
    const { a, shared } = await leader({ releaseOnCancel: true });
    const b = candidate("b", shared);
    await shared.clock.advance(4_000);
    a.stop.abort();
    expect(await a.end).toBe("released");
    expect(await spec(a)).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    await shared.clock.advance(2_000);
    expect(b.leads).toBe(true);
  });

  it("retries the release after a concurrent write", async () => {
    const shared = setUp();
    const other = embeddedClient(shared.server);
    let meddling = 0;
    const client = createClient({
      transport: {
        async request(request) {
          const labels = { seen: `${meddling}` };
          if (request.method === "PUT" && meddling-- > 0) await other.client.patch(Lease, key, mergePatch({ metadata: { labels } })); // prettier-ignore
          return other.transport.request(request);
        },
        close: () => undefined,
      },
    });
    const a = candidate("a", shared, { releaseOnCancel: true, client });
    await settle();
    meddling = 3;
    a.stop.abort();
    expect(await a.end).toBe("released");
    expect(meddling).toBe(-1);
    expect(await spec(a)).toMatchObject({ holderIdentity: "" });
  });

  it("waits no longer than a renewal for an unresponsive API server", async () => {
    const { a, clock, logged } = await leader({ releaseOnCancel: true });
    const arrive = a.holdBack();
    a.stop.abort();
    await clock.advance(9_999);
    const raceEnd = (): Promise<unknown> => Promise.race([a.end, Promise.resolve("waits")]);
    expect(await raceEnd()).toBe("waits");
    await clock.advance(1);
    expect(await raceEnd()).toBe("released");
    expect(logged).toEqual([new Error("no response within 10 s")]);
    arrive();
  });

  it("blocks writes after it has released the lease", async () => {
    const { a } = await leader({ releaseOnCancel: true });
    a.elector.assertLeading();
    a.stop.abort();
    await a.end;
    expect(() => a.elector.assertLeading()).toThrow(expect.objectContaining({ code: "TSOP_LEASE_RELEASED" }));
  });

  it("keeps the lease at the end if release is disabled", async () => {
    const { a } = await leader();
    a.stop.abort();
    await a.end;
    expect(await spec(a)).toMatchObject({ holderIdentity: "a" });
  });

  it("survives a short network failure without a loss of the lease", async () => {
    const { a, clock } = await leader();
    a.cut = true;
    await clock.advance(7_000);
    a.cut = false;
    await clock.advance(60_000);
    expect(a.leads).toBe(true);
  });

  it("recovers after another client writes the lease", async () => {
    const { a, clock } = await leader();
    const lease = await a.client.get(Lease, key);
    await a.client.update(Lease, { ...lease, metadata: { ...lease.metadata, labels: { seen: "by-a-person" } } });
    await clock.advance(4_000);
    expect(a.leads).toBe(true);
    expect((await a.client.get(Lease, key)).metadata.labels).toEqual({ seen: "by-a-person" });
  });

  it("stops immediately if another candidate holds the lease", async () => {
    const { a, clock } = await leader();
    const lease = await a.client.get(Lease, key);
    await a.client.update(Lease, { ...lease, spec: { ...lease.spec!, holderIdentity: "thief" } });
    await clock.advance(30_000);
    expect(await a.end).toMatchObject({ code: "TSOP_LEADERSHIP_LOST" });
  });

  it("adds its labels to those of a lease that it takes over", async () => {
    const shared = setUp();
    const other = embeddedClient(shared.server);
    await other.client.create(Lease, { metadata: { ...key, labels: { team: "a" } }, spec: { holderIdentity: "" } });
    const a = candidate("a", shared, { labels: { app: "operator" } });
    await settle();
    expect((await a.client.get(Lease, key)).metadata.labels).toEqual({ team: "a", app: "operator" });
  });

  it("sends one request per attempt while the server is unreachable", async () => {
    const { a, clock } = await leader();
    const before = a.requests.length;
    a.cut = true;
    await clock.advance(4_000);
    expect(a.requests).toHaveLength(before + 2);
  });

  it("keeps the lease at the end if another candidate holds it", async () => {
    const { a } = await leader({ releaseOnCancel: true });
    const lease = await a.client.get(Lease, key);
    await a.client.update(Lease, { ...lease, spec: { ...lease.spec!, holderIdentity: "thief" } });
    a.stop.abort();
    await a.end;
    expect(await spec(a)).toMatchObject({ holderIdentity: "thief" });
  });

  it("fences writes as soon as the last renewal is too old, before any timer fires", async () => {
    const shared = setUp();
    const a = candidate("a", shared);
    const elector = a.elector;
    const client = createClient({ transport: new WriteFence(() => elector.assertLeading()).around(a.transport) });
    expect(() => elector.assertLeading()).not.toThrow();
    await settle();
    const lease = await client.get(Lease, key);
    await client.update(Lease, lease);
    a.cut = true;
    await shared.clock.advance(10_001);
    a.cut = false;
    await expect(client.update(Lease, lease)).rejects.toMatchObject({ code: "TSOP_NOT_LEADING" });
    await expect(client.get(Lease, key)).resolves.toBeDefined();
  });

  it("fences writes after the time of day has jumped forward, until the next renewal", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      vi.setSystemTime("2026-01-10T00:00:00Z");
      const shared = setUp();
      const { elector, ...a } = candidate("a", shared);
      await settle();
      vi.setSystemTime("2026-01-11T00:00:00Z");
      expect(() => elector.assertLeading()).toThrow("86400.0 s ago");
      await shared.clock.advance(2_000);
      expect(() => elector.assertLeading()).not.toThrow();
      vi.setSystemTime("2026-01-09T00:00:00Z");
      expect(() => elector.assertLeading()).not.toThrow();
      await shared.clock.advance(20_000);
      expect(() => elector.assertLeading()).not.toThrow();
      expect((await spec(a)).holderIdentity).toBe("a");
    } finally {
      vi.useRealTimers();
    }
  });

  it("releases the lease when all writes are answered, and keeps it if one has no answer by the deadline", async () => {
    for (const isAnswered of [true, false]) {
      const shared = setUp();
      const fence = new WriteFence(() => a.elector.assertLeading());
      const a = candidate("a", shared, { releaseOnCancel: true, settled: () => fence.settled() });
      await settle();
      const client = createClient({ transport: fence.around(a.transport) });
      const release = a.holdBack();
      const writing = client.create(Lease, { metadata: { namespace: "default", name: "other" }, spec: {} });
      await settle();
      a.stop.abort();
      await settle();
      if (isAnswered) release();
      else await shared.clock.advance(10_000);
      expect(await a.end).toBe("released");
      release();
      await writing;
      expect(await spec(a)).toMatchObject({ holderIdentity: isAnswered ? "" : "a" });
    }
  });

  it("asks others to wait for whole seconds that are no shorter than its own limit", async () => {
    const times = leaseTimes({ leaseDuration: 1_900, renewDeadline: 1_800, retryPeriod: 100 });
    const a = candidate("a", setUp(), { times });
    await settle();
    expect(await spec(a)).toMatchObject({ leaseDurationSeconds: 2 });
  });

  it("keeps the time of its acquisition through renewals", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const shared = setUp();
    vi.setSystemTime("2026-01-01T00:00:00Z");
    const a = candidate("a", shared);
    await settle();
    vi.setSystemTime("2026-01-01T00:01:00Z");
    await shared.clock.advance(2_000);
    vi.useRealTimers();
    expect(await spec(a)).toMatchObject({
      acquireTime: expect.stringMatching(/^2026-01-01T00:00:00\.000\d{3}Z$/),
      renewTime: expect.stringMatching(/^2026-01-01T00:01:00\.000\d{3}Z$/),
    });
  });

  it("retries at times that differ between candidates", async () => {
    const shared = setUp();
    candidate("a", shared);
    await settle();
    const b = candidate("b", shared, { random: () => 0.5 });
    await shared.clock.advance(3_199);
    expect(b.requests).toHaveLength(1);
    await shared.clock.advance(1);
    expect(b.requests).toHaveLength(2);
  });

  it("abandons an attempt after half of the deadline, and retries", async () => {
    const { a, clock, logged } = await leader();
    const before = a.requests.length;
    const arrive = a.holdBack();
    await clock.advance(2_000 + 4_999 + 2_000);
    expect(a.requests).toHaveLength(before + 1);
    await clock.advance(1);
    expect(a.requests).toHaveLength(before + 2);
    expect(logged).toEqual([new Error("no response within 5 s")]);
    arrive();
    await settle();
    expect(a.leads).toBe(true);
  });

  it("measures a renewal from its request, however late the response is", async () => {
    const { a, clock } = await leader();
    const arrive = a.holdBack();
    await clock.advance(6_000);
    arrive();
    await settle();
    a.cut = true;
    await clock.advance(6_000);
    expect(() => a.elector.assertLeading()).not.toThrow();
    await clock.advance(1);
    expect(() => a.elector.assertLeading()).toThrow(expect.objectContaining({ code: "TSOP_NOT_LEADING" }));
  });

  it.each([
    [{ leaseDuration: 10_000, renewDeadline: 10_000 }, "leaseDuration must be longer than renewDeadline"],
    [{ renewDeadline: 2_000, retryPeriod: 2_000 }, "renewDeadline must be longer than retryPeriod"],
    [{ leaseDuration: 900, renewDeadline: 800, retryPeriod: 100 }, "at least a second"],
    [{ retryPeriod: 0 }, "retryPeriod must be positive"],
  ])("rejects settings that allow two leaders: %j", (times, message) => {
    expect(() => leaseTimes(times)).toThrow(message);
  });
});

const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/operator.example.com";
