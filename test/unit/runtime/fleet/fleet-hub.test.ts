import { describe, expect, it } from "vitest";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { createFleet } from "../../../../src/runtime/fleet/fleet.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { createManager } from "../../../../src/runtime/manager/create-manager.ts";
import { untilAborted } from "../../../../src/client/transport/abortable.ts";
import { freePorts } from "../../../../src/sandbox/webhooks/webhook-endpoint.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";
import { configMap, fleetFixture, has, setUpCopies } from "./fleet-fixture.ts";

const { servers, make } = fleetFixture();
const { hub, east, west } = servers;

describe("the hub", () => {
  const leaderElection = { enabled: true, namespace: "default", leaseDuration: 3_000, renewDeadline: 2_000, retryPeriod: 200, releaseOnCancel: true }; // prettier-ignore

  it("allows only the leader to connect, and blocks writes to clusters after the lease is lost", async () => {
    const options = { leaderElection: { ...leaderElection, id: "fleet.example.com" } };
    const [first, second] = [await make({}, options), await make({}, options)];
    for (const { fleet } of [first, second]) fleet.forEachCluster(setUpCopies);
    for (const { join } of [first, second]) join("east", east.config);
    const leader = first.start();
    await east.client.create(ConfigMap, configMap("in-a"));
    await until("a copy", () => has(east, "out-a"));
    second.start();
    const { client } = first.fleet.cluster("east");
    expect(second.fleet.clusters).toEqual([]);
    leader.stop();
    expect(await leader.done).toBeUndefined();
    const blocked = client.create(ConfigMap, configMap("late"));
    await expect(blocked).rejects.toMatchObject({ code: "TSOP_LEASE_RELEASED" });
    await until("the second takes over", () => second.fleet.clusters.includes("east"));
  });

  it("is ready while a cluster is away, and not ready while the clusters are unknown", async () => {
    const [port] = await freePorts(1);
    const healthProbeBindAddress = `127.0.0.1:${port}`;
    const mgr = await createManager(hub.config, { logger: discardLogger, healthProbeBindAddress });
    let calls = 0;
    const complete = new AbortController();
    createFleet(mgr, {
      async *watch(signal) {
        if (++calls === 1) throw new Error("forbidden");
        yield { type: "cluster", name: "nowhere", config: { ...east.config, server: "https://127.0.0.1:1" } };
        await untilAborted(complete.signal);
        yield { type: "listed" };
        await untilAborted(signal);
      },
    });
    runInTest((signal) => mgr.start(signal));
    const status = async () =>
      (await fetch(`http://${healthProbeBindAddress}/readyz/fleet`).catch(() => undefined))?.status;
    await until("not ready", async () => (await status()) === 500);
    await until("a list begins", () => calls === 2);
    expect(await status()).toBe(500);
    complete.abort();
    await until("ready", async () => (await status()) === 200);
  });

  it("drops clusters that a provider does not report again after a failure", async () => {
    const mgr = await createManager(hub.config, { logger: discardLogger });
    let calls = 0;
    const fleet = createFleet(mgr, {
      async *watch(signal) {
        calls++;
        yield { type: "cluster", name: "east", config: east.config };
        if (calls === 1) yield { type: "cluster", name: "west", config: west.config };
        yield { type: "listed" };
        await until("both clusters", () => fleet.clusters.includes("east"));
        if (calls === 1) throw new Error("the watch broke");
        await untilAborted(signal);
      },
    });
    runInTest((signal) => mgr.start(signal));
    await until("the second call", () => calls === 2);
    await until("only one", () => fleet.clusters.join() === "east");
  });
});
