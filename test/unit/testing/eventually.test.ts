import { expect, it } from "vitest";
import { eventually } from "../../../src/testing/eventually.ts";

it("returns the first good answer", async () => {
  let calls = 0;
  const answer = await eventually(() => (++calls < 3 ? false : `call ${calls}`), { interval: 1 });
  expect(answer).toBe("call 3");
});

it("takes an error for a no", async () => {
  let calls = 0;
  const attempt = async () => {
    if (++calls < 3) throw new Error("not yet");
  };
  await eventually(attempt, { interval: 1 });
  expect(calls).toBe(3);
});

it("throws the last failure when time is up", async () => {
  let calls = 0;
  const attempt = () => {
    throw new Error(`call ${++calls}`);
  };
  await expect(eventually(attempt, { timeout: 20, interval: 5 })).rejects.toThrow(/^call [2-9]/);
});

it("says so when it was only false", async () => {
  await expect(eventually(() => false, { timeout: 5, interval: 1 })).rejects.toThrow("still false after 5 ms");
});
