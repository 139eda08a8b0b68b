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

import { apiVersionOf } from "tsop";
import { checkConversion, readObject } from "tsop/testing";
import { describe, expect, it } from "vitest";
import { CronJob as Hub } from "../../api/v1/zz_generated.kinds.ts";
import { CronJob } from "../../api/v2/zz_generated.kinds.ts";
import { serveWebhooks } from "../suite.ts";
import { cronJobConverter } from "../v1/cronjob_conversion.ts";

// An API server that calls your conversion webhook, like the API server of a cluster.
const env = serveWebhooks();
const sample = await readObject<CronJob>("config/samples/batch_v2_cronjob.yaml");
const hubSample = await readObject<Hub>("config/samples/batch_v1_cronjob.yaml");

describe("CronJob v2", () => {
  it("converts to v1 and back without loss", async () => {
    // Objects are drawn from the schemas of both versions: a finding has the smallest object that is not kept.
    const options = { samples: [sample, hubSample], client: env.client };
    const { report } = await checkConversion(cronJobConverter, [Hub, CronJob], options);
    expect(report).toBe("");
  });

  it("is served in v1", async () => {
    const key = { namespace: "default", name: "created-as-v2" };
    const created = await env.client.create(CronJob, { ...sample, metadata: key });
    const hub = await env.client.get(Hub, key);
    expect(hub).toMatchObject({ apiVersion: apiVersionOf(Hub), metadata: { uid: created.metadata.uid } });
    expect(hub.spec).toEqual({ ...created.spec, schedule: "30 4 * * 1" });
  });

  it("shows each part of a schedule of v1", async () => {
    const key = { namespace: "default", name: "seen-as-v2" };
    await env.client.create(Hub, { ...hubSample, metadata: key });
    const seen = await env.client.get(CronJob, key);
    expect(seen.spec.schedule).toEqual({ minute: "17", hour: "3", dayOfMonth: "*", month: "*", dayOfWeek: "*" });
  });
});
