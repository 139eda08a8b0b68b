import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createContext, runInContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import { isConflict } from "../../../src/apimachinery/status.ts";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { mergePatch } from "../../../src/client/patches.ts";
import { Deployment } from "../../../src/k8s/apps/v1.ts";
import { ConfigMap, Pod, Secret, Service } from "../../../src/k8s/core/v1.ts";
import { controllerManagedBy } from "../../../src/runtime/builders/builder.ts";
import type { Reconciler } from "../../../src/runtime/controller/reconciler.ts";
import { zapLogger } from "../../../src/runtime/log/zap-logger.ts";
import type { Manager } from "../../../src/runtime/manager/manager.ts";
import { setControllerReference } from "../../../src/runtime/objects/owner-references.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { simulate } from "../../../src/testing/simulate.ts";
import type { Simulated } from "../../../src/testing/simulated.ts";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";

const hour = 3_600_000;
const start = new Date("2026-03-29T00:59:30Z");
const home = { namespace: "default" };
const key = { ...home, name: "one" };
const mine = { predicates: [{ create: (event: { object: ConfigMap }) => event.object.metadata.name === "one" }] };
/** Returns what a simulation replaces. */
const globals = (): Record<string, unknown> => {
  const { now } = Object.getOwnPropertyDescriptors(performance);
  return { Date, setTimeout, setImmediate, random: Math.random, now, uuid: randomUUID };
};
const before = globals();
const realTimeout = setTimeout;

/** Returns a setup with one controller of the ConfigMap `one`. */
function controlled(reconcilerOf: (client: Client) => Reconciler["reconcile"]): (mgr: Manager) => Promise<void> {
  return async (mgr) => {
    const reconcile = reconcilerOf(mgr.client);
    await controllerManagedBy(mgr).for(ConfigMap, mine).owns(Secret).named("test").complete({ reconcile });
  };
}

/** Writes the time of its last work into a Secret, every hour. */
const hourly = controlled((client) => async (request) => {
  const annotations = { at: new Date().toISOString() };
  await client.apply(Secret, { metadata: { ...request, annotations } }, { fieldOwner: "test" });
  return { requeueAfter: hour };
});

/** Copies the data of a ConfigMap to two Secrets. */
const copies = controlled((client) => async (request) => {
  const map = await client.getOrUndefined(ConfigMap, request);
  for (const name of ["first", "second"]) {
    const secret = { metadata: { namespace: request.namespace ?? "", name }, stringData: { ...map?.data } };
    await client.apply(Secret, secret, { fieldOwner: "test" });
  }
});

const nothing = (): void => {};
const workedAt = async (client: Client): Promise<string | undefined> =>
  (await client.get(Secret, key)).metadata.annotations?.["at"];

afterEach(async () => {
  for (const [name, value] of Object.entries(globals())) expect(value, name).toBe(before[name]);
  // Real time works.
  const since = process.hrtime.bigint();
  await wait(3);
  expect(process.hrtime.bigint() - since).toBeGreaterThan(2_000_000n);
});

describe("the time of a simulation", () => {
  it("is the time of day of test, operator and cluster, and passes only when the test waits", async () => {
    await simulate({ setup: hourly, start }, async (sim) => {
      expect(new Date()).toEqual(start);
      const { metadata } = await sim.client.create(ConfigMap, { metadata: key });
      expect(metadata.creationTimestamp).toBe("2026-03-29T00:59:30Z");
      await sim.advance(0);
      expect(await workedAt(sim.client)).toBe("2026-03-29T00:59:30.000Z");
      await sim.advance(hour - 1);
      expect(await workedAt(sim.client)).toBe("2026-03-29T00:59:30.000Z");
      await sim.advance(1);
      expect(await workedAt(sim.client)).toBe("2026-03-29T01:59:30.000Z");
      await sim.advance(5 * hour);
      expect(await workedAt(sim.client)).toBe("2026-03-29T06:59:30.000Z");
      expect(sim.now()).toEqual(new Date("2026-03-29T06:59:30Z"));
    });
  });

  it("begins with 2026 by default", async () => {
    expect(await simulate({ setup: nothing }, (sim) => sim.now().toISOString())).toBe("2026-01-01T00:00:00.000Z");
  });

  it("drives the test's own timers, and eventually", async () => {
    await simulate({ setup: hourly, start }, async (sim) => {
      const [since, measured] = [performance.now(), process.hrtime.bigint()];
      await wait(90_000);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      expect(performance.now() - since).toBe(100_000);
      expect(process.hrtime.bigint() - measured).toBe(100_000_000_000n);
      await sim.client.create(ConfigMap, { metadata: key });
      await sim.advance(0);
      const later = eventually(async () => (await workedAt(sim.client)) !== "2026-03-29T01:01:10.000Z", {
        timeout: 2 * hour,
        interval: 60_000,
      });
      await later;
      expect(await workedAt(sim.client)).toBe("2026-03-29T02:01:10.000Z");
      const limit = AbortSignal.timeout(1_000);
      await sim.advance(999);
      expect(limit.aborted).toBe(false);
      await sim.advance(1);
      expect(limit.aborted).toBe(true);
    });
  });

  it("makes dates of the same class", async () => {
    const inside = await simulate({ setup: nothing }, () => {
      expect(start).toBeInstanceOf(Date);
      expect(new Date(0).toISOString()).toBe("1970-01-01T00:00:00.000Z");
      expect(Date()).toContain("2026");
      return new Date();
    });
    expect(inside).toBeInstanceOf(Date);
  });

  it("also drives a test in a realm of its own, as in some test runners", async () => {
    const realm = createContext();
    const test = runInContext(
      "async (sim) => { const before = Date.now(); await sim.advance(1_000); return [before, Date.now()]; }",
      realm,
    ) as (sim: Simulated) => Promise<number[]>;
    const [before = 0, after = 0] = await simulate({ setup: nothing, start }, test);
    expect([before, after]).toEqual([start.getTime(), start.getTime() + 1_000]);
    expect(runInContext("Date.now()", realm)).toBeGreaterThan(Date.now() - 60_000);
  });

  it("stands still while the test waits for something real", async () => {
    await simulate({ setup: hourly, start }, async (sim) => {
      await new Promise((resolve) => realTimeout(resolve, 20));
      expect(sim.now()).toEqual(start);
    });
  });

  it("lets simulated controllers do their work", async () => {
    await simulate({ setup: nothing, simulate: true }, async (sim) => {
      const labels = { app: "web" };
      const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:v1" }] } };
      const spec = { replicas: 2, selector: { matchLabels: labels }, template };
      await sim.client.create(Deployment, { metadata: key, spec });
      expect(await sim.settle()).toBe(true);
      const { items } = await sim.client.list(Pod, { labels });
      expect(items.map(({ status }) => status?.phase)).toEqual(["Running", "Running"]);
    });
  });
});

describe("an operator in a simulation", () => {
  it("keeps the cluster and loses its memory when it starts again", async () => {
    let instances = 0;
    const setup = (mgr: Manager): Promise<void> => {
      const instance = ++instances;
      let calls = 0;
      return controlled((client) => async (request) => {
        const annotations = { at: `call ${++calls} of instance ${instance}` };
        await client.apply(Secret, { metadata: { ...request, annotations } }, { fieldOwner: "test" });
        return { requeueAfter: hour };
      })(mgr);
    };
    await simulate({ setup }, async (sim) => {
      await sim.client.create(ConfigMap, { metadata: key });
      await sim.advance(hour);
      expect(await workedAt(sim.client)).toBe("call 2 of instance 1");
      await sim.restart();
      await sim.advance(0);
      expect(await workedAt(sim.client)).toBe("call 1 of instance 2");
    });
  });

  it("does nothing after it was ended, also when a request or a timer was under way", async () => {
    await simulate({ setup: hourly }, async (sim) => {
      sim.inject({ verbs: ["patch"], delayMs: 5_000, times: 1 });
      await sim.client.create(ConfigMap, { metadata: key });
      await sim.advance(1_000);
      sim.kill();
      await sim.advance(24 * hour);
      expect(sim.requests.filter((request) => request.startsWith("patch"))).toHaveLength(1);
      const { length } = sim.requests;
      await sim.restart();
      await sim.advance(0);
      expect(sim.requests.length).toBeGreaterThan(length);
      expect(await workedAt(sim.client)).toBe(sim.now().toISOString());
    });
  });

  it("sees changes later if its watches lag", async () => {
    const setup = controlled((client) => async (request) => {
      const map = await client.get(ConfigMap, request);
      const secret = { metadata: { ...request }, stringData: { ...map.data } };
      setControllerReference(map, secret);
      await client.apply(Secret, secret, { fieldOwner: "test" });
    });
    await simulate({ setup }, async (sim) => {
      const map = await sim.client.create(ConfigMap, { metadata: key, data: { size: "1" } });
      const size = async (): Promise<string> =>
        Buffer.from((await sim.client.get(Secret, key)).data?.["size"] ?? "", "base64").toString();
      await sim.advance(0);
      sim.lag(ConfigMap, 10_000);
      await sim.client.update(ConfigMap, { ...map, data: { size: "2" } });
      // Something else makes it work with the older state.
      await sim.client.delete(Secret, key);
      await sim.advance(9_999);
      expect(await size()).toBe("1");
      await sim.advance(1);
      expect(await size()).toBe("2");
      await sim.client.update(ConfigMap, { metadata: key, data: { size: "3" } });
      expect(await sim.settle()).toBe(true);
      expect(await size()).toBe("3");
    });
  });

  it("gets the errors of refused requests, and the test does not", async () => {
    const errors: unknown[] = [];
    const setup = controlled((client) => async (request) => {
      try {
        await client.create(Secret, { metadata: request });
      } catch (error) {
        errors.push(error);
        throw error;
      }
    });
    await simulate({ setup }, async (sim) => {
      const lift = sim.inject({ verbs: ["create"], resource: "secrets", reason: "Conflict" });
      await sim.client.create(Secret, { metadata: { ...key, name: "other" } });
      await sim.client.create(ConfigMap, { metadata: key });
      await sim.advance(100);
      expect(errors.length).toBeGreaterThan(2);
      expect(errors.every(isConflict)).toBe(true);
      expect(await sim.client.getOrUndefined(Secret, key)).toBeUndefined();
      lift();
      expect(await sim.settle()).toBe(true);
      await sim.client.get(Secret, key);
    });
  });

  it("is ended at a write, which the server has stored, and started again", async () => {
    const end = (crashAt?: number): Promise<{ writes: readonly string[]; state: object; data: string | undefined }> =>
      simulate({ setup: copies }, async (sim) => {
        if (crashAt !== undefined) sim.crashAtWrite(crashAt);
        await sim.client.create(ConfigMap, { metadata: key, data: { size: "1" } });
        expect(await sim.settle()).toBe(true);
        const { data } = await sim.client.get(Secret, { ...key, name: "second" });
        return { writes: sim.writes, state: sim.state(), data: data?.["size"] };
      });
    const { writes, state, data } = await end();
    expect(data).toBe("MQ==");
    const [first = "", second = ""] = writes;
    expect(writes).toEqual(["patch v1/namespaces/default/secrets/first", "patch v1/namespaces/default/secrets/second"]);
    expect(Object.keys(state)).toEqual([
      "/configmaps default/one",
      "/secrets default/first",
      "/secrets default/second",
    ]);
    const afterFirst = await end(1);
    expect(afterFirst).toEqual({ writes: [first, first, second], state, data });
    const afterSecond = await end(2);
    expect(afterSecond).toEqual({ writes: [first, second, first, second], state, data });
  });

  it("comes to another state if it forgets something in a crash", async () => {
    const setup = controlled((client) => async (request) => {
      const secret = await client.getOrUndefined(Secret, request);
      if (secret) return;
      await client.create(Secret, { metadata: request });
      await client.apply(Secret, { metadata: request, stringData: { a: "b" } }, { fieldOwner: "test" });
    });
    const end = (crashAt?: number): Promise<object> =>
      simulate({ setup }, async (sim) => {
        if (crashAt !== undefined) sim.crashAtWrite(crashAt);
        await sim.client.create(ConfigMap, { metadata: key });
        await sim.settle();
        return sim.state();
      });
    expect(await end(1)).not.toEqual(await end());
  });

  it("has a state without generated names, addresses and ports", async () => {
    const setup = controlled((client) => async (request) => {
      const spec: Service["spec"] = { type: "NodePort", ports: [{ port: 80 }] };
      const { spec: made } = await client.create(Service, { metadata: request, spec });
      const podSpec = { containers: [{ name: "main", image: "a" }] };
      const pod = await client.create(Pod, { metadata: { generateName: "one-", ...home }, spec: podSpec });
      const stringData = { pod: pod.metadata.name, address: made?.clusterIP ?? "" };
      await client.create(Secret, { metadata: { ...request, annotations: stringData } });
    });
    const run = (seed: number): Promise<{ state: object; address: string | undefined }> =>
      simulate({ setup, seed }, async (sim) => {
        await sim.client.create(ConfigMap, { metadata: key });
        await sim.settle();
        return { state: sim.state(), address: (await sim.client.get(Service, key)).spec?.clusterIP };
      });
    const [first, second] = [await run(1), await run(2)];
    expect(first.address).not.toBe(second.address);
    expect(first.state).toEqual(second.state);
    expect(first.state).toMatchObject({
      "/secrets default/one": { "metadata.annotations.pod": "one-<>", "metadata.annotations.address": "<address>" },
      "/pods default/one-<0>": { "spec.containers.main.image": "a" },
    });
  });

  it("elects a leader, which a new instance waits for", async () => {
    const manager = { leaderElection: { enabled: true, id: "test" } };
    await simulate({ setup: hourly, manager }, async (sim) => {
      await sim.client.create(ConfigMap, { metadata: key });
      await sim.advance(0);
      const began = sim.now().getTime();
      await sim.restart();
      expect(sim.now().getTime() - began).toBeGreaterThan(10_000);
    });
  });

  it("writes its log with the time of the simulation", async () => {
    const lines: string[] = [];
    const manager = { logger: zapLogger({ write: (line) => lines.push(line) }) };
    await simulate({ setup: hourly, manager, start }, (sim) => sim.client.create(ConfigMap, { metadata: key }));
    expect(lines.join("\n")).toContain("2026-03-29T00:59:2");
  });
});

describe("a simulation with a seed", () => {
  const trace = (seed?: number): Promise<string> =>
    simulate({ setup: copies, simulate: true, start, ...(seed !== undefined && { seed }) }, async (sim) => {
      await sim.client.create(ConfigMap, { metadata: key, data: { id: randomUUID(), number: String(Math.random()) } });
      sim.inject({ verbs: ["patch"], reason: "Conflict", times: 3 });
      await sim.settle();
      await sim.restart();
      await sim.settle();
      const { items } = await sim.client.list(Secret);
      return JSON.stringify([sim.requests, items]);
    });

  it("is the same for the same seed: requests, objects, uids and times", async () => {
    const first = await trace();
    expect(await trace()).toBe(first);
    expect(await trace(1)).toBe(first);
    expect(await trace(2)).not.toBe(first);
  });
});

describe("a simulation ends", () => {
  const broken = new Error("broken");
  const fails = (): never => {
    throw broken;
  };

  it("with the result of the test", async () => {
    expect(await simulate({ setup: nothing }, () => 42)).toBe(42);
  });

  it("with the error of the test, or of its setup", async () => {
    await expect(simulate({ setup: nothing }, fails)).rejects.toBe(broken);
    await expect(simulate({ setup: nothing }, async (sim) => sim.advance(hour).then(fails))).rejects.toBe(broken);
    await expect(simulate({ setup: fails }, nothing)).rejects.toBe(broken);
    await expect(simulate({ setup: nothing, crdPaths: ["no-such-folder"] }, nothing)).rejects.toThrow("no-such-folder");
  });

  it("with the error of the manager, or of a timer that nothing catches", async () => {
    const setup = (mgr: Manager): void => mgr.add(fails);
    await expect(simulate({ setup }, (sim) => sim.advance(hour))).rejects.toBe(broken);
    const later = (): void => void setTimeout(fails, hour);
    await expect(simulate({ setup: later }, (sim) => sim.advance(hour))).rejects.toBe(broken);
  });

  it("with an error that names the limit if the operator never rests", async () => {
    const setup = controlled((client) => async (request) => {
      await client.apply(Secret, { metadata: request, stringData: { n: randomUUID() } }, { fieldOwner: "test" });
      await client.patch(ConfigMap, request, mergePatch({ data: { n: randomUUID() } }));
    });
    const endless = simulate({ setup, limitMs: 300 }, async (sim) => {
      await sim.client.create(ConfigMap, { metadata: key });
      await sim.advance(hour);
    });
    await expect(endless).rejects.toThrow(
      /the simulation has not ended after 0.3 s: it is 2026-01-01T00:00:00.\d+Z, and the operator has sent \d+ requests, the last one “/,
    );
  });

  it("with an error that says so if the test waits for something real that never comes", async () => {
    const lost = simulate({ setup: nothing, limitMs: 50 }, () => new Promise<void>(() => {}));
    await expect(lost).rejects.toThrow("after 0.05 s: the test waits for something real");
  });

  it("when its signal aborts", async () => {
    const stopping = new AbortController();
    const lost = simulate({ setup: nothing, signal: stopping.signal }, () => {
      realTimeout(() => stopping.abort(broken), 5);
      return new Promise<void>(() => {});
    });
    await expect(lost).rejects.toBe(broken);
  });
});

describe("a second simulation", () => {
  it("ends the first one in the same thread with an error, as a test can leave it at its timeout", async () => {
    const left = simulate({ setup: hourly }, async (sim) => {
      for (;;) await sim.advance(hour);
    });
    const works = simulate({ setup: hourly }, (sim) => sim.advance(hour));
    await expect(left).rejects.toThrow("the simulation was ended, because another one has begun in this thread");
    await works;
  });

  it("ends the one in which it is called", async () => {
    const outer = simulate({ setup: hourly }, () => simulate({ setup: hourly }, nothing));
    await expect(outer).rejects.toThrow("another one has begun");
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse("2026-06-01"));
  });

  it("does not disturb a server in real time between the two", async () => {
    await simulate({ setup: hourly }, (sim) => sim.advance(hour));
    const env = new TestEnvironment({ env: {} });
    await env.start();
    await createClient({ config: env.config }).create(ConfigMap, { metadata: key });
    await env.stop();
    await simulate({ setup: hourly }, async (sim) => {
      expect(await sim.client.getOrUndefined(ConfigMap, key)).toBeUndefined();
    });
  });
});
