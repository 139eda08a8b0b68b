import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../../src/apimachinery/meta.ts";
import {
  addFinalizer,
  containsFinalizer,
  FinalizeError,
  Finalizers,
  removeFinalizer,
} from "../../../../src/runtime/objects/finalizers.ts";

describe("finalizers", () => {
  it("are added and removed once, and keep their order", () => {
    const object = { metadata: { name: "a", finalizers: ["x/1"] } };
    expect([addFinalizer(object, "x/2"), addFinalizer(object, "x/2")]).toEqual([true, false]);
    expect(object.metadata.finalizers).toEqual(["x/1", "x/2"]);
    expect([removeFinalizer(object, "x/1"), removeFinalizer(object, "x/1")]).toEqual([true, false]);
    expect([containsFinalizer(object, "x/2"), containsFinalizer({ metadata: {} }, "x/2")]).toEqual([true, false]);
  });
});

describe("a finalizer registry", () => {
  const terminatingObject = (...finalizers: string[]): KubeObject => ({
    metadata: { name: "a", finalizers, deletionTimestamp: "2026-01-01T00:00:00Z" },
  });

  function registry(log: string[]): Finalizers<KubeObject> {
    const finalizers = new Finalizers<KubeObject>();
    finalizers.register("x/dns", { finalize: () => void log.push("dns") });
    finalizers.register("x/disk", {
      finalize: () => {
        log.push("disk");
        return true;
      },
    });
    return finalizers;
  }

  it("adds missing finalizers to an existing object, and runs none", async () => {
    const log: string[] = [];
    const object: KubeObject = { metadata: { name: "a", finalizers: ["x/dns"] } };
    expect(await registry(log).finalize(object)).toEqual({ updated: true, statusUpdated: false });
    expect(object.metadata.finalizers).toEqual(["x/dns", "x/disk"]);
    expect(await registry(log).finalize(object)).toEqual({ updated: false, statusUpdated: false });
    expect(log).toEqual([]);
  });

  it("runs and removes its finalizers of a terminating object, and keeps others", async () => {
    const log: string[] = [];
    const object = terminatingObject("other/one", "x/disk");
    expect(await registry(log).finalize(object)).toEqual({ updated: true, statusUpdated: true });
    expect([log, object.metadata.finalizers]).toEqual([["disk"], ["other/one"]]);
  });

  it.each([
    [true, false],
    [false, true],
  ])("reports the changes of all finalizers in any order: %j, %j", async (...changes) => {
    const finalizers = new Finalizers<KubeObject>();
    changes.forEach((changed, index) => finalizers.register(`x/${index}`, { finalize: () => changed }));
    expect(await finalizers.finalize(terminatingObject("x/0", "x/1"))).toEqual({ updated: true, statusUpdated: true });
    const own = changes.flatMap((changed, index) => (changed ? [`x/${index}`] : []));
    const living: KubeObject = { metadata: { name: "a", finalizers: own } };
    expect((await finalizers.finalize(living)).updated).toBe(true);
  });

  it("keeps a finalizer that failed, and runs the rest", async () => {
    const log: string[] = [];
    const finalizers = new Finalizers<KubeObject>();
    finalizers.register("x/bad", { finalize: () => Promise.reject(new Error("the disk is busy")) });
    finalizers.register("x/good", { finalize: () => void log.push("good") });
    const object = terminatingObject("x/bad", "x/good");
    const error: unknown = await finalizers.finalize(object).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(FinalizeError);
    expect((error as FinalizeError).message).toBe("finalizers failed: the disk is busy");
    expect((error as FinalizeError).result).toEqual({ updated: true, statusUpdated: false });
    expect([log, object.metadata.finalizers]).toEqual([["good"], ["x/bad"]]);
  });

  it("rejects a duplicate name", () => {
    expect(() => registry([]).register("x/dns", { finalize: () => undefined })).toThrow("x/dns is already registered");
  });
});
