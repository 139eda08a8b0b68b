import { describe, expect, it } from "vitest";
import type { Pair } from "../../../lab/corpus/server-pair.ts";
import { Tally } from "../../../lab/corpus/tally.ts";

const pair = (embedded: unknown, real: unknown): Pair => ({
  embedded: { step: "POST /things", status: 201, body: embedded },
  real: { step: "POST /things", status: 201, body: real },
});
const accepting = [{ pattern: /body\.a: /, reason: "a differs" }];
const judge = (pairs: readonly Pair[], isWhole = true): { ok: boolean; text: string } => {
  const tally = new Tally(accepting);
  pairs.forEach((one, at) => tally.judge("resources", `Thing ${at}`, [one]));
  const lines: string[] = [];
  return { ok: tally.report(isWhole, (line) => lines.push(line)), text: lines.join("\n") };
};

describe("Tally", () => {
  it("accepts equal answers and differences with a reason", () => {
    const { ok, text } = judge([pair({ a: 1, b: [1] }, { a: 2, b: [1] }), pair({}, {})]);
    expect(ok).toBe(true);
    expect(text).toMatch(/resources +2 +0 +1 +1 +0/);
  });

  it("fails with a difference that has no reason, beside one that has", () => {
    const { ok, text } = judge([pair({ a: 1, b: [1] }, { a: 2, b: [1, 2] })]);
    expect(ok).toBe(false);
    expect(text).toContain("unexplained: Thing 0: POST /things: body.b.1: embedded nothing real 2");
  });

  it("fails with a reason that no longer applies, if the run was whole", () => {
    expect(judge([pair({}, {})])).toMatchObject({ ok: false, text: expect.stringContaining("no longer applies") });
    expect(judge([pair({}, {})], false).ok).toBe(true);
  });
});
