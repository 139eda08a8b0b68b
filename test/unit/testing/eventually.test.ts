import { expect, it } from "vitest";
import { consistently, eventually } from "../../../src/testing/eventually.ts";

it("returns the first result", async () => {
  let calls = 0;
  const answer = await eventually(() => (++calls < 3 ? false : `call ${calls}`), { interval: 1 });
  expect(answer).toBe("call 3");
});

it("repeats after an error", async () => {
  let calls = 0;
  const attempt = async () => {
    if (++calls < 3) throw new Error("not yet");
  };
  await eventually(attempt, { interval: 1 });
  expect(calls).toBe(3);
});

it("throws the last failure after the timeout", async () => {
  let calls = 0;
  const attempt = () => {
    throw new Error(`call ${++calls}`);
  };
  await expect(eventually(attempt, { timeout: 1_500, interval: 300 })).rejects.toThrow(/^call [2-9]/);
});

it("reports that the condition was false", async () => {
  await expect(eventually(() => false, { timeout: 5, interval: 1 })).rejects.toThrow("still false after 5 ms");
});

it("throws the former failure while a call has not ended", async () => {
  let calls = 0;
  const attempt = () => {
    if (++calls === 1) throw new Error("the first");
    return new Promise<true>(() => {});
  };
  await expect(eventually(attempt, { timeout: 30, interval: 1 })).rejects.toThrow("the first");
  const never = () => new Promise<true>(() => {});
  await expect(eventually(never, { timeout: 5 })).rejects.toThrow("the first call had not ended after 5 ms");
});

it("names the line that waits", async () => {
  const failure = await eventually(() => false, { timeout: 5, interval: 1 }).catch((error: Error) => error.stack);
  expect(failure).toContain("eventually.test.ts");
});

it("repeats a call for the duration", async () => {
  let calls = 0;
  expect(await consistently(() => `call ${++calls}`, { duration: 1_000, interval: 1 })).toBe(`call ${calls}`);
  expect(calls).toBeGreaterThan(2);
});

it.each([
  ["is false", () => false, "the condition was false after"],
  [
    "throws",
    () => {
      throw new Error("there is one");
    },
    "there is one",
  ],
])("throws as soon as a call %s", async (_what, failing: () => boolean, message) => {
  let calls = 0;
  const attempt = () => ++calls < 3 || failing();
  await expect(consistently(attempt, { duration: 10_000, interval: 1 })).rejects.toThrow(message);
  expect(calls).toBe(3);
});
