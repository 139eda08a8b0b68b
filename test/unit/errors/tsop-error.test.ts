import { expect, it, vi } from "vitest";
import { TsopError } from "../../../src/errors/tsop-error.ts";

it("is recognized from any copy of the package", async () => {
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

it("shows only its code and hint as own properties", () => {
  const error = new TsopError("TSOP_CACHE_CONTINUE", {});
  expect(Object.keys(error).toSorted()).toEqual(["code", "hint", "name"]);
  expect(error).toMatchObject({ name: "TsopError", code: "TSOP_CACHE_CONTINUE" });
});
