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

import { readObject } from "tsop/testing";
import { describe, expect, it } from "vitest";
import { CronJob } from "../../api/v1/zz_generated.kinds.ts";
import { CronJob as CronJobV2 } from "../../api/v2/zz_generated.kinds.ts";
import { serveWebhooks } from "../suite.ts";

// An API server that calls your webhooks, like the API server of a cluster.
const env = serveWebhooks();
const { spec } = await readObject<CronJob>("config/samples/batch_v1_cronjob.yaml");
const create = (name: string, schedule = spec.schedule) =>
  env.client.create(CronJob, { metadata: { namespace: "default", name }, spec: { ...spec, schedule } });

describe("CronJobValidator", () => {
  it("accepts the longest name and a valid schedule, and its update", async () => {
    const created = await create("n".repeat(52), "*/5 0-6 * jan,jul mon");
    await env.client.update(CronJob, { ...created, spec: { ...spec, schedule: "0 0 1 1 *" } });
  });

  it("rejects a longer name and an invalid schedule, both at once", async () => {
    const creation = create("n".repeat(53), "61 * * * *");
    await expect(creation).rejects.toThrow("must be no more than 52 characters");
    await expect(creation).rejects.toThrow(
      /spec.schedule: Invalid value: "61 \* \* \* \*": .*Invalid value for minute: 61/,
    );
  });

  it("rejects an invalid update", async () => {
    const created = await create("updated");
    const update = env.client.update(CronJob, { ...created, spec: { ...spec, schedule: "0 24 * * *" } });
    await expect(update).rejects.toThrow("Invalid value for hour: 24");
  });

  it("rejects an invalid field of v2", async () => {
    const metadata = { namespace: "default", name: "invalid-in-v2" };
    const creation = env.client.create(CronJobV2, { metadata, spec: { ...spec, schedule: { dayOfMonth: "32" } } });
    await expect(creation).rejects.toThrow("Invalid value for day");
  });

  it.each(["", "0 * * *", "@hourly", "0 * * * * *"])("has %j rejected by the schema", async (schedule) => {
    await expect(create("not-five", schedule)).rejects.toThrow("spec.schedule in body should match");
  });
});
