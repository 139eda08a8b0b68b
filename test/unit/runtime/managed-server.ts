import { afterAll, afterEach, beforeAll } from "vitest";
import { ConfigMap, Secret } from "../../../src/k8s/core/v1.ts";
import { createManager } from "../../../src/runtime/manager/create-manager.ts";
import type { Manager, ManagerOptions } from "../../../src/runtime/manager/manager.ts";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";
import { loggedLines } from "./logged-lines.ts";

export interface ManagedServer {
  readonly env: TestEnvironment;
  /** A manager and the lines of its log. */
  readonly manager: (options?: ManagerOptions) => Promise<{ mgr: Manager; lines: Record<string, unknown>[] }>;
  /** Starts a manager; `done` resolves to the error that it ended with, if any. */
  readonly start: (mgr: Manager) => { stop: AbortController; done: Promise<unknown> };
}

/**
 * Creates a server for the tests of a file. After each test its managers are stopped and its objects in `default` are
 * deleted.
 */
export function managedServer(): ManagedServer {
  const env = new TestEnvironment({ env: {} });
  const running: { stop: AbortController; done: Promise<unknown> }[] = [];

  beforeAll(() => env.start());
  afterAll(() => env.stop());
  afterEach(async () => {
    for (const { stop, done } of running.splice(0)) {
      stop.abort();
      await done;
    }
    for (const kind of [ConfigMap, Secret]) await env.client.deleteAllOf(kind, { namespace: "default" });
  });

  return {
    env,
    async manager(options = {}) {
      const { logger, lines } = loggedLines();
      return { mgr: await createManager(env.config, { logger, ...options }), lines };
    },
    start(mgr) {
      const stop = new AbortController();
      const done = mgr.start(stop.signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      const started = { stop, done };
      running.push(started);
      return started;
    },
  };
}
