import { expect, it, vi } from "vitest";
import { patience } from "../../patience.ts";
import { ApiError, failure } from "../../../src/apimachinery/status.ts";
import type { JournalEntry } from "../../../src/apiserver/storage/store.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { asker, until } from "./ask.ts";
import { widgetCrd } from "./widgets.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const events = "/api/v1/namespaces/default/events";
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A server with a journal that refuses the entries that `refuses` selects. */
function journaled() {
  const entries: JournalEntry[] = [];
  const state: { refuses: (entry: JournalEntry) => boolean } = { refuses: () => false };
  const append = (entry: JournalEntry): void => {
    if (state.refuses(entry)) throw new ApiError(failure("InternalError", "the disk is full"));
    entries.push(entry);
  };
  const clock = manualClock();
  return { ...asker({ clock, journal: { append } }), state, clock, entries };
}

it("writes each change to the journal, in order", async () => {
  const api = journaled();
  const start = api.entries.length;
  const made = await api.ask("POST", maps, { metadata: { name: "a" } });
  const changed = await api.ask("PUT", `${maps}/a`, { metadata: { name: "a" }, data: { b: "c" } });
  await api.ask("PUT", `${maps}/a`, { metadata: { name: "a" }, data: { b: "c" } });
  await api.ask("DELETE", `${maps}/a`);
  const written = api.entries.slice(start);
  expect(written.map(({ text, ...entry }) => ({ ...entry, object: text && JSON.parse(text) }))).toEqual(
    [made.body, changed.body, undefined].map((object, index) => ({
      resource: "/configmaps",
      key: "default/a",
      revision: Number(made.body.metadata.resourceVersion) + index,
      object,
    })),
  );
  api.server.close();
});

it("makes no change that the journal refuses, and shows none", async () => {
  const api = journaled();
  const kept = await api.ask("POST", maps, { metadata: { name: "kept" } });
  const watch = await api.watch(`${maps}?watch=true&resourceVersion=${kept.body.metadata.resourceVersion}`);
  const before = api.server.snapshot();
  api.state.refuses = () => true;
  const refused = [
    await api.ask("POST", maps, { metadata: { name: "lost" } }),
    await api.ask("PUT", `${maps}/kept`, { metadata: { name: "kept" }, data: { b: "c" } }),
    await api.ask("DELETE", `${maps}/kept`),
    await api.ask("DELETE", maps),
  ];
  expect(refused.map(({ status, body }) => `${status} ${body.message}`)).toEqual(Array(4).fill("500 the disk is full"));
  expect(api.server.snapshot()).toEqual(before);
  api.state.refuses = () => false;
  const next = await api.ask("POST", maps, { metadata: { name: "next" } });
  expect(Number(next.body.metadata.resourceVersion)).toBe(before.revision + 1);
  expect(await watch.next()).toMatchObject({ type: "ADDED", object: next.body });
  api.server.close();
});

it("expires events once the journal accepts their deletion", async () => {
  const api = journaled();
  await api.ask("POST", events, { metadata: { name: "a" }, involvedObject: { namespace: "default" } });
  api.state.refuses = () => true;
  await api.clock.advance(2 * 3600_000);
  expect((await api.ask("GET", events)).body.items).toHaveLength(1);
  api.state.refuses = () => false;
  await api.clock.advance(1000);
  expect((await api.ask("GET", events)).body.items).toEqual([]);
  api.server.close();
  expect(api.clock.pending).toBe(0);
});

it("establishes a CRD once the journal accepts its status", async () => {
  const api = journaled();
  let attempts = 0;
  api.state.refuses = ({ text = "" }) => text.includes('"NamesAccepted"') && attempts++ < 3;
  await api.ask("POST", crds, widgetCrd());
  for (let attempt = 1; attempt <= 3; attempt++) {
    await vi.waitUntil(() => attempts === attempt, patience);
    expect((await api.ask("GET", `${crds}/widgets.example.com`)).body.status?.acceptedNames?.kind).not.toBe("Widget");
    await api.clock.advance(1000);
  }
  await until(api, `${crds}/widgets.example.com`, ({ body }) => body.status?.acceptedNames?.kind === "Widget");
  api.server.close();
  expect(api.clock.pending).toBe(0);
});
