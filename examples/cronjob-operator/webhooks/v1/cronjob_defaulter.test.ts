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
const { jobTemplate } = (await readObject<CronJob>("config/samples/batch_v1_cronjob.yaml")).spec;
const defaults = {
  concurrencyPolicy: "Allow",
  suspend: false,
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 1,
};

describe("CronJobDefaulter", () => {
  it("sets what is missing", async () => {
    const metadata = { namespace: "default", name: "missing" };
    const { spec } = await env.client.create(CronJob, { metadata, spec: { schedule: " 0  *\t* * *", jobTemplate } });
    expect(spec).toMatchObject({ ...defaults, schedule: "0 * * * *" });
  });

  it("sets it in v2, too", async () => {
    const metadata = { namespace: "default", name: "missing-in-v2" };
    const { spec } = await env.client.create(CronJobV2, { metadata, spec: { schedule: { minute: "0" }, jobTemplate } });
    expect(spec).toMatchObject({ ...defaults, schedule: { minute: "0", hour: "*" } });
  });

  it("keeps what is set", async () => {
    const metadata = { namespace: "default", name: "set" };
    const set = { concurrencyPolicy: "Forbid", suspend: true, successfulJobsHistoryLimit: 0 } as const;
    const { spec } = await env.client.create(CronJob, {
      metadata,
      spec: { schedule: "0 * * * *", jobTemplate, ...set },
    });
    expect(spec).toMatchObject(set);
  });
});
