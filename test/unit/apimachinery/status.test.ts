import { expect, it } from "vitest";
import { ApiError, failure, isNotFound } from "../../../src/apimachinery/status.ts";
import type * as Original from "../../../src/apimachinery/status.ts";

it("is recognized from any copy of the package", async () => {
  const copy: string = "../../../src/apimachinery/status.ts?copy";
  const { ApiError: Other } = (await import(copy)) as typeof Original;
  expect(Other).not.toBe(ApiError);
  const error: unknown = new Other(failure("NotFound", "there is none"));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toBeInstanceOf(Error);
  expect(isNotFound(error)).toBe(true);
  for (const other of [new Error("x"), { status: failure("NotFound", "") }, "NotFound", null, undefined]) {
    expect(other instanceof ApiError).toBe(false);
  }
});

it("is no error of a class that extends it", () => {
  class QuotaError extends ApiError {}
  expect(new ApiError(failure("Forbidden", "no"))).not.toBeInstanceOf(QuotaError);
  expect(new QuotaError(failure("Forbidden", "no"))).toBeInstanceOf(QuotaError);
});
