import { expect, it, vi } from "vitest";
import { TsopError } from "../../../src/errors/tsop-error.ts";

it("is recognised whichever copy of the package made it", async () => {
  vi.resetModules();
  const { TsopError: Other } = await import("../../../src/errors/tsop-error.ts");
  expect(Other).not.toBe(TsopError);
  const error: unknown = new Other("TSOP_CACHE_CONTINUE", {});
  expect(error).toBeInstanceOf(TsopError);
  expect(error).toBeInstanceOf(Error);
  for (const other of [new Error("x"), { code: "TSOP_CACHE_CONTINUE" }, "TSOP_CACHE_CONTINUE", null, undefined]) {
    expect(other instanceof TsopError).toBe(false);
  }
});

it("shows its code and hint, and nothing else of its own", () => {
  const error = new TsopError("TSOP_CACHE_CONTINUE", {});
  expect(Object.keys(error).toSorted()).toEqual(["code", "hint", "name"]);
  expect(error).toMatchObject({ name: "TsopError", code: "TSOP_CACHE_CONTINUE" });
});
