import { expect, it } from "vitest";
import { discardLogger } from "../../../src/runtime/log/logger.ts";
import { reconcileContext } from "../../../src/testing/reconcile-context.ts";

it("is that of a first attempt which writes no lines", () => {
  const { signal, log, reconcileID, attempt } = reconcileContext();
  expect(signal.aborted).toBe(false);
  expect(log).toBe(discardLogger);
  expect({ reconcileID, attempt }).toEqual({ reconcileID: "test", attempt: 1 });
});

it("takes what a test gives", () => {
  const signal = AbortSignal.abort();
  expect(reconcileContext({ signal, attempt: 3 })).toMatchObject({ signal, attempt: 3, reconcileID: "test" });
});
