import { expect, it } from "vitest";
import { TsopError } from "../../../src/errors/tsop-error.ts";
import type * as Original from "../../../src/errors/tsop-error.ts";

it("is recognized from any copy of the package", async () => {
  const copy: string = "../../../src/errors/tsop-error.ts?copy";
  const { TsopError: Other } = (await import(copy)) as typeof Original;
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
