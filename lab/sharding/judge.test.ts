import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { byObject, findForeignWrites, findOverlaps, readLog, timesAlone, timesOfHandOver } from "./judge.mjs";

const folder = mkdtempSync(join(tmpdir(), "tsop-judge-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Judges the steps of shards: `<time> begin|write|end <object> [version]`. */
function judge(shards, { owners = new Map(), children = new Map(), timeOfWrite = () => undefined } = {}) {
  const logs = Object.entries(shards).map(([name, { steps, frozen = [], stopped }]) => {
    const log = join(folder, `${name}.log`);
    writeFileSync(log, steps.map((step) => `${step}\n`).join(""));
    return readLog({ log, name, stopped, frozen }, timeOfWrite);
  });
  const groups = byObject(logs.flatMap(({ reconciles }) => reconciles));
  const { foreign } = findForeignWrites(
    logs.flatMap(({ writes }) => writes),
    { owners, children },
  );
  return { overlaps: findOverlaps(groups).length, foreign, groups };
}

const whole = (from, to) => [`${from} begin x`, `${from + 1} write x ${from}`, `${to} end x`];

describe("two reconciles of an object", () => {
  it("overlap if the second shard begins before the first ends", () => {
    expect(judge({ a: { steps: whole(10, 30) }, b: { steps: whole(29, 40) } }).overlaps).toBe(1);
    expect(judge({ a: { steps: whole(10, 30) }, b: { steps: whole(30, 40) } }).overlaps).toBe(0);
  });

  it("overlap if a longer one of the same shard lies between", () => {
    const steps = [...whole(10, 90), ...whole(20, 25)];
    expect(judge({ a: { steps }, b: { steps: whole(50, 60) } }).overlaps).toBe(1);
  });

  it("do not overlap if they are one shard's, or of two objects", () => {
    expect(judge({ a: { steps: [...whole(10, 30), ...whole(20, 40)] } }).overlaps).toBe(0);
    const others = whole(20, 40).map((step) => step.replace(" x", " y"));
    expect(judge({ a: { steps: whole(10, 30) }, b: { steps: others } }).overlaps).toBe(0);
  });

  it("overlap until the kill of a shard that never ended its one", () => {
    const cut = { steps: ["10 begin x"], stopped: 50 };
    expect(judge({ a: cut, b: { steps: whole(49, 60) } }).overlaps).toBe(1);
    expect(judge({ a: cut, b: { steps: whole(50, 60) } }).overlaps).toBe(0);
  });

  it("overlap until the last write of a shard that was frozen then", () => {
    const steps = ["10 begin x", "20 write x 7", "90 end x"];
    const frozen = { steps, frozen: [[25, 80]] };
    expect(judge({ a: frozen, b: { steps: whole(30, 40) } }).overlaps).toBe(0);
    expect(judge({ a: frozen, b: { steps: whole(15, 40) } }).overlaps).toBe(1);
    expect(judge({ a: { steps }, b: { steps: whole(30, 40) } }).overlaps).toBe(1);
  });
});

describe("a write", () => {
  const owners = new Map([
    [
      "x",
      [
        { version: 1, at: 0, shard: "a", drained: false, deleted: false },
        { version: 10, at: 10, shard: undefined, drained: false, deleted: false },
        { version: 12, at: 12, shard: "b", drained: false, deleted: false },
      ],
    ],
  ]);

  it.each([
    ["of the owner", "a", 5, 0],
    ["after the object was let go", "a", 11, 1],
    ["of the former owner", "a", 20, 1],
    ["of the next owner", "b", 13, 0],
    ["of the next owner before it was assigned", "b", 11, 1],
  ])("%s", (_title, shard, version, count) => {
    const steps = ["1 begin x", `2 write x ${version}`, "3 end x"];
    expect(judge({ [shard]: { steps } }, { owners }).foreign).toHaveLength(count);
  });

  it("of the Go shard is the creation of a child", () => {
    const child = (shard) => new Map([["x", [{ type: "ADDED", writer: "go", shard, version: 15, at: 15 }]]]);
    expect(judge({}, { owners, children: child("a") }).foreign).toHaveLength(1);
    expect(judge({}, { owners, children: child("b") }).foreign).toEqual([]);
  });
});

describe("an object of a shard that has ended", () => {
  const second = 1_000_000;
  const entry = (at, shard, drained = false) => ({ version: at, at: at * second, shard, drained, deleted: false });
  const event = { at: 10 * second, name: "a", log: "a" };

  it("is alone until its assignment, and until another shard begins", () => {
    const owners = new Map([["x", [entry(1, "a"), entry(25, "b")]]]);
    const groups = new Map([["x", [{ from: 28 * second, log: "b" }]]]);
    expect(timesAlone(event, groups, owners, [])).toEqual([{ assigned: 15, served: 18 }]);
  });

  it("is alone for ever if nobody takes it", () => {
    const owners = new Map([["x", [entry(1, "a")]]]);
    expect(timesAlone(event, new Map(), owners, [])).toEqual([{ assigned: Infinity, served: Infinity }]);
  });

  it("belongs to the later event if its next shard ends, too", () => {
    const owners = new Map([["x", [entry(1, "a"), entry(12, "b"), entry(40, "c")]]]);
    expect(timesAlone(event, new Map(), owners, [{ at: 13 * second, name: "b" }])).toEqual([]);
  });
});

it("measures a hand-over from the label to the next shard", () => {
  const entry = (at, shard, drained) => ({ at: at * 1_000_000, shard, drained });
  const history = [entry(1, "a", false), entry(2, "a", true), entry(4, "a", true), entry(5), entry(6, "b", false)];
  expect(timesOfHandOver(new Map([["x", history]]))).toEqual([4]);
});
