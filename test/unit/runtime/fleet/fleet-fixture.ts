import { afterAll, afterEach, beforeAll } from "vitest";
import type { ClientConfig } from "../../../../src/client/config/config.ts";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { controllerManagedBy } from "../../../../src/runtime/builders/builder.ts";
import { ChangeFeed } from "../../../../src/runtime/fleet/kubeconfig-secrets.ts";
import { createFleet, type Fleet, type FleetOptions } from "../../../../src/runtime/fleet/fleet.ts";
import { createManager } from "../../../../src/runtime/manager/create-manager.ts";
import type { Manager, ManagerOptions } from "../../../../src/runtime/manager/manager.ts";
import { TestEnvironment } from "../../../../src/testing/test-environment.ts";
import { loggedLines } from "../logged-lines.ts";

export interface FleetFixture {
  readonly servers: Readonly<Record<"hub" | "east" | "west", TestEnvironment>>;
  /** Creates a hub's manager with a fleet whose clusters the test adds and removes. */
  readonly make: (options?: FleetOptions, hub?: ManagerOptions) => Promise<TestedFleet>;
}

interface TestedFleet {
  readonly mgr: Manager;
  readonly fleet: Fleet;
  readonly lines: Record<string, unknown>[];
  readonly join: (name: string, config: ClientConfig) => void;
  readonly leave: (name: string) => void;
  /** Starts the manager; the promise settles when it has ended. */
  readonly start: () => { readonly stop: () => void; readonly done: Promise<unknown> };
}

/** Creates three servers for the tests of a file. After each test, managers are stopped and ConfigMaps deleted. */
export function fleetFixture(): FleetFixture {
  const [hub, east, west] = [0, 1, 2].map(() => new TestEnvironment({ env: {} }));
  const servers = { hub: hub!, east: east!, west: west! };
  const running: { stop: () => void; done: Promise<unknown> }[] = [];
  beforeAll(() => Promise.all(Object.values(servers).map((server) => server.start())));
  afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())));
  afterEach(async () => {
    for (const { stop, done } of running.splice(0)) {
      stop();
      await done;
    }
    for (const { client } of Object.values(servers)) await client.deleteAllOf(ConfigMap, { namespace: "default" });
  });
  return {
    servers,
    async make(options = {}, hubOptions = {}) {
      const { logger, lines } = loggedLines();
      const mgr = await createManager(servers.hub.config, { logger, gracefulShutdownTimeout: 5_000, ...hubOptions });
      const feed = new ChangeFeed();
      const fleet = createFleet(mgr, { watch: (signal) => feed.read(signal) }, { probeInterval: 200, ...options });
      return {
        mgr,
        fleet,
        lines,
        join: (name, config) => feed.push({ type: "cluster", name, config }),
        leave: (name) => feed.push({ type: "removed", name }),
        start() {
          const ended = new AbortController();
          const done = mgr.start(ended.signal).then(
            () => undefined,
            (error: unknown) => error,
          );
          const started = { stop: () => ended.abort(), done };
          running.push(started);
          return started;
        },
      };
    },
  };
}

/** Returns a ConfigMap in `default`. */
export function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return { metadata: { namespace: "default", name }, data };
}

/** A controller that copies each ConfigMap `in-*` to `out-*`, written for one cluster. */
export function setUpCopies(mgr: Manager): Promise<unknown> {
  return controllerManagedBy(mgr)
    .for(ConfigMap)
    .complete({
      async reconcile({ name, namespace }) {
        if (!name.startsWith("in-")) return;
        const source = await mgr.client.getOrUndefined(ConfigMap, { namespace, name });
        const copy = { namespace, name: name.replace("in-", "out-") };
        if (!source || (await mgr.client.getOrUndefined(ConfigMap, copy))) return;
        await mgr.client.create(ConfigMap, { metadata: copy, data: source.data ?? {} });
      },
    });
}

/** Reports whether a server has a ConfigMap of this name. */
export async function has(server: TestEnvironment, name: string): Promise<boolean> {
  return (await server.client.getOrUndefined(ConfigMap, { namespace: "default", name })) !== undefined;
}
