import { expect, it } from "vitest";
import { EventRing, type StoredEvent } from "../../../../src/apiserver/storage/event-ring.ts";

const event = (revision: number): StoredEvent => ({
  revision,
  type: "ADDED",
  key: `a${revision}`,
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: {} },
  previous: undefined,
});
const revisions = (ring: EventRing, after: number) => ring.after(after)?.map(({ revision }) => revision);

it("has all events since its start, and none before", () => {
  const ring = new EventRing(10, 5);
  for (const revision of [7, 9]) ring.push(event(revision), 100);
  expect(revisions(ring, 5)).toEqual([7, 9]);
  expect(revisions(ring, 7)).toEqual([9]);
  expect(revisions(ring, 9)).toEqual([]);
  expect(revisions(ring, 4)).toBeUndefined();
});

it("drops the oldest events, and knows the revision from which it has all", () => {
  const ring = new EventRing(4, 0);
  for (let revision = 1; revision <= 6; revision++) ring.push(event(revision), 100);
  expect(revisions(ring, 2)).toEqual([3, 4, 5, 6]);
  expect(revisions(ring, 1)).toBeUndefined();
});

it("drops compacted events, also without later ones", () => {
  const ring = new EventRing(4, 0);
  for (let revision = 1; revision <= 3; revision++) ring.push(event(revision), 100);
  ring.compact(2);
  expect(revisions(ring, 2)).toEqual([3]);
  expect(revisions(ring, 1)).toBeUndefined();
  ring.compact(8);
  expect(revisions(ring, 8)).toEqual([]);
  expect(revisions(ring, 7)).toBeUndefined();
});

it("drops the oldest events until the others have few enough bytes", () => {
  const ring = new EventRing(4, 0);
  for (let revision = 1; revision <= 3; revision++) ring.push(event(revision), 100 * revision);
  expect(ring.bytes).toBe(600);
  ring.shorten(500);
  expect([ring.bytes, revisions(ring, 1), revisions(ring, 0)]).toEqual([500, [2, 3], undefined]);
  ring.shorten(299);
  expect([ring.bytes, revisions(ring, 3), revisions(ring, 2)]).toEqual([0, [], undefined]);
});
