import { describe, expect, it } from "vitest";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { asker, until } from "./ask.ts";
import { installWidgets, widget, widgets } from "./widgets.ts";

const maps = "/api/v1/namespaces/default/configmaps";

describe("server options", () => {
  it("continues from a snapshot, without its history", async () => {
    const first = asker();
    await installWidgets(first);
    const { body } = await first.ask("POST", widgets, widget("a"));
    const restore = JSON.parse(JSON.stringify(first.server.snapshot()));
    const second = asker({ restore });
    expect((await until(second, `${widgets}/a`, ({ status }) => status === 200)).body).toEqual(body);
    const next = await second.ask("POST", maps, { metadata: { name: "b" } });
    expect(Number(next.body.metadata.resourceVersion)).toBeGreaterThan(restore.revision);
    const watch = await second.watch(`${widgets}?watch=true&resourceVersion=1`);
    expect(await watch.next()).toMatchObject({ type: "ERROR", object: { code: 410 } });
  });

  it("accepts the tokens of the server of its snapshot, and no others", async () => {
    const account = "/api/v1/namespaces/default/serviceaccounts/robot";
    const first = asker();
    await first.ask("POST", "/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
    const { body } = await first.ask("POST", `${account}/token`, { spec: { expirationSeconds: 600 } });
    const { token } = body.status;
    const second = asker({ restore: JSON.parse(JSON.stringify(first.server.snapshot())) });
    const robot = "system:serviceaccount:default:robot";
    expect([first, second, asker()].map(({ server }) => server.users.find(token)?.username)).toEqual([
      robot,
      robot,
      undefined,
    ]);
    expect(second.server.users.find(`${token.slice(0, -1)}!`)).toBeUndefined();
    await second.ask("DELETE", account);
    expect(second.server.users.find(token)).toBeUndefined();
  });

  it("refuses tokens from their expiry on, also those of an earlier server", async () => {
    const clock = manualClock(new Date(0));
    const first = asker({ clock });
    const accounts = "/api/v1/namespaces/default/serviceaccounts";
    await first.ask("POST", accounts, { metadata: { name: "robot" } });
    const { body } = await first.ask("POST", `${accounts}/robot/token`, { spec: { expirationSeconds: 600 } });
    const { token } = body.status;
    await clock.advance(599_000);
    const second = asker({ clock, restore: JSON.parse(JSON.stringify(first.server.snapshot())) });
    const isKnown = (): boolean[] => [first, second].map(({ server }) => server.users.find(token) !== undefined);
    expect(isKnown()).toEqual([true, true]);
    await clock.advance(1_000);
    expect(isKnown()).toEqual([false, false]);
    const third = asker({ clock, restore: JSON.parse(JSON.stringify(first.server.snapshot())) });
    expect(third.server.users.find(token)).toBeUndefined();
    for (const { server } of [first, second, third]) server.close();
  });

  it("keeps events for an hour after their last write, or after a restart", async () => {
    const events = "/api/v1/namespaces/default/events";
    const clock = manualClock(new Date(0));
    const first = asker({ clock });
    const event = (name: string) => ({ metadata: { name }, involvedObject: { namespace: "default" } });
    await first.ask("POST", events, event("a"));
    await first.ask("POST", events, event("b"));
    await clock.advance(40 * 60_000);
    await first.ask("PUT", `${events}/b`, { ...event("b"), reason: "Again" });
    const watch = await first.watch(`${events}?watch=true&fieldSelector=metadata.name=a`);
    expect((await watch.next()).type).toBe("ADDED");
    await clock.advance(20 * 60_000);
    expect(await watch.next()).toMatchObject({ type: "DELETED", object: { metadata: { name: "a" } } });
    expect((await first.ask("GET", `${events}/b`)).status).toBe(200);
    await first.ask("POST", events, event("c"));
    const second = asker({ clock, restore: JSON.parse(JSON.stringify(first.server.snapshot())) });
    first.server.close();
    await clock.advance(59 * 60_000);
    const names = (await second.ask("GET", events)).body.items.map(({ metadata }: any) => metadata.name);
    expect(names).toEqual(["b", "c"]);
    await clock.advance(60_000);
    expect((await second.ask("GET", events)).body.items).toEqual([]);
    second.server.close();
    expect(clock.pending).toBe(0);
  });

  it("applies a fault to the requests that it matches, the given number of times", async () => {
    const api = asker();
    await api.ask("POST", maps, { metadata: { name: "a" } });
    api.server.faults.inject({ verbs: ["update"], resource: "configmaps", skip: 1, times: 1, reason: "Conflict" });
    const put = async () => (await api.ask("PUT", `${maps}/a`, { metadata: { name: "a" } })).status;
    expect([await put(), await put(), await put()]).toEqual([200, 409, 200]);
    api.server.faults.inject({ verbs: ["watch"], cutAfterEvents: 1 });
    const watch = await api.watch(`${maps}?watch=true`);
    expect([(await watch.next()).type, await watch.next()]).toEqual(["ADDED", undefined]);
  });

  it("ends a refusal for lack of a role with the hint", async () => {
    const api = asker({ rbac: true, forbiddenHint: () => "add a marker" });
    const robot = { "impersonate-user": "system:serviceaccount:default:robot" };
    const refused = await api.ask("GET", maps, undefined, robot);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'configmaps is forbidden: User "system:serviceaccount:default:robot" cannot list resource "configmaps" in API group "" ' +
        'in the namespace "default": add a marker',
    ]);
  });
});
