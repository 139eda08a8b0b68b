/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import { existsSync } from "node:fs";
import { createManager, zapLogger } from "tsop";
import { eventually, TestEnvironment, type TestEnvironmentOptions } from "tsop/testing";
import { afterAll, beforeAll } from "vitest";
import { setupWebhooks } from "./setup.ts";

/**
 * Starts an API server for tests, with the project's CRDs and webhooks: the embedded server, or the real one in
 * KUBEBUILDER_ASSETS.
 */
export function serveWebhooks(options: TestEnvironmentOptions = {}): TestEnvironment {
  // A project with webhooks only for built-in kinds has no CRDs.
  const crdPaths = ["config/crd"].filter((path) => existsSync(path));
  const env = new TestEnvironment({ crdPaths, webhookPaths: ["config/webhook"], ...options });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  beforeAll(async () => {
    await env.start();
    const mgr = await createManager(env.config, {
      // Failures of webhooks, which a test does not see otherwise. Remove the level to see all that they log.
      logger: zapLogger({ level: "error", encoder: "readable", write: (line) => console.error(line) }),
      metrics: { bindAddress: "0" },
      webhook: env.webhooks,
    });
    setupWebhooks(mgr);
    running = mgr.start(stopping.signal);
    await Promise.race([running, eventually(() => mgr.webhookServer.port !== undefined)]);
  });

  afterAll(async () => {
    stopping.abort();
    await running;
    await env.stop();
  });

  return env;
}
