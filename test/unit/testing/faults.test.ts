import { request } from "node:https";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { ConfigMap } from "../../../src/k8s/core/v1.ts";
import { isConflict } from "../../../src/apimachinery/status.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";

const key = { namespace: "default", name: "a" };

const clock = manualClock();
let env: TestEnvironment;
beforeEach(async () => {
  env = new TestEnvironment({ env: {}, clock });
  await env.start();
});
afterEach(() => env.stop());

describe("faults of the embedded server", () => {
  it("reject the second update with a conflict, once", async () => {
    let object = await env.client.create(ConfigMap, { metadata: key });
    env.inject({ verbs: ["update"], resource: "configmaps", skip: 1, times: 1, reason: "Conflict" });
    const update = async (value: string): Promise<string> => {
      try {
        object = await env.client.update(ConfigMap, { ...object, data: { value } });
        return value;
      } catch (error) {
        if (!isConflict(error)) throw error;
        return "conflict";
      }
    };
    expect([await update("1"), await update("2"), await update("3")]).toEqual(["1", "conflict", "3"]);
  });

  it("hit the requests of one user only", async () => {
    const jane = createClient({ config: env.addUser({ username: "jane", groups: ["system:masters"] }) });
    env.inject({ user: "jane", reason: "Conflict" });
    await expect(jane.create(ConfigMap, { metadata: key })).rejects.toSatisfy(isConflict);
    await env.client.create(ConfigMap, { metadata: key });
  });

  it("end a watch whose version is too old", async () => {
    const { metadata } = await env.client.list(ConfigMap, { namespace: "default" });
    env.inject({ verbs: ["watch"], resource: "configmaps", times: 1, reason: "Expired" });
    const options = { namespace: "default", resourceVersion: metadata.resourceVersion ?? "" };
    const read = async () => {
      for await (const event of env.client.watch(ConfigMap, options)) return event;
      return undefined;
    };
    await expect(read()).rejects.toMatchObject({ code: 410 });
  });

  it("cut a watch after so many events", async () => {
    env.inject({ verbs: ["watch"], resource: "configmaps", times: 1, cutAfterEvents: 2 });
    const { metadata } = await env.client.list(ConfigMap, { namespace: "default" });
    const seen: string[] = [];
    const watching = (async () => {
      const options = { namespace: "default", resourceVersion: metadata.resourceVersion ?? "" };
      for await (const { type, object } of env.client.watch(ConfigMap, options))
        seen.push(`${type} ${object.metadata.name}`);
    })();
    for (const name of ["a", "b", "c"]) await env.client.create(ConfigMap, { metadata: { ...key, name } });
    // It ends, or tells of the broken stream: both is what a client has to cope with.
    await watching.catch(() => {});
    expect(seen).toEqual(["ADDED a", "ADDED b"]);
  });

  it("reject all requests for a while", async () => {
    env.inject({ resource: "configmaps", reason: "TooManyRequests", retryAfterSeconds: 7 });
    const { status, headers, body } = await get("/api/v1/namespaces/default/configmaps");
    expect([status, headers["retry-after"], JSON.parse(body)]).toEqual([
      429,
      "7",
      expect.objectContaining({ kind: "Status", reason: "TooManyRequests", details: { retryAfterSeconds: 7 } }),
    ]);
  });

  it("delay responses, by the clock of the server", async () => {
    env.inject({ verbs: ["get"], resource: "namespaces", name: "default", delayMs: 60_000 });
    let answered = false;
    const answer = get("/api/v1/namespaces/default").then(({ status }) => {
      answered = true;
      return status;
    });
    expect((await get("/api/v1/namespaces/kube-system")).status).toBe(200);
    await clock.advance(59_000);
    expect((await get("/api/v1/namespaces/kube-system")).status).toBe(200);
    expect(answered).toBe(false);
    await clock.advance(1_000);
    expect(await answer).toBe(200);
  });

  it("end when they are lifted", async () => {
    const lift = env.inject({ resource: "configmaps", reason: "ServiceUnavailable" });
    expect((await get("/api/v1/configmaps")).status).toBe(503);
    lift();
    expect((await get("/api/v1/configmaps")).status).toBe(200);
  });
});

/** Past the client, which tries some requests again by itself. */
function get(path: string): Promise<{ status: number | undefined; headers: Record<string, unknown>; body: string }> {
  const { server, ca, token } = env.config;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    request(`${server}${path}`, { ca, headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => (body += text));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on("error", reject)
      .end();
  });
}
