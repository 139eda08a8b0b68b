import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../../src/apimachinery/meta.ts";
import {
  controllerOf,
  hasControllerReference,
  hasOwnerReference,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from "../../../../src/runtime/objects/owner-references.ts";

function owner(name: string, more: Partial<KubeObject["metadata"]> = {}, apiVersion = "example.com/v1"): KubeObject {
  return { apiVersion, kind: "Thing", metadata: { name, namespace: "n", uid: `uid-${name}`, ...more } };
}

function child(more: Partial<KubeObject["metadata"]> = {}): KubeObject {
  return { kind: "Deployment", metadata: { name: "child", namespace: "n", ...more } };
}

describe("an owner reference", () => {
  it("names the controller, and blocks its deletion", () => {
    const object = child();
    setControllerReference(owner("a"), object);
    expect(object.metadata.ownerReferences).toEqual([
      {
        apiVersion: "example.com/v1",
        kind: "Thing",
        name: "a",
        uid: "uid-a",
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(hasControllerReference(object)).toBe(true);
    expect(controllerOf(object)?.name).toBe("a");
  });

  it("names a plain owner without these flags", () => {
    const object = child();
    setOwnerReference(owner("a"), object);
    expect(object.metadata.ownerReferences![0]).not.toHaveProperty("controller");
    expect(hasControllerReference(object)).toBe(false);
    expect(hasOwnerReference(owner("a"), object)).toBe(true);
    expect(hasOwnerReference(owner("b"), object)).toBe(false);
  });

  it("is replaced in place if the owner is the same, with any version and uid", () => {
    const object = child();
    setOwnerReference(owner("other"), object);
    setControllerReference(owner("a"), object);
    setControllerReference(owner("a", { uid: "new" }, "example.com/v2"), object);
    expect(object.metadata.ownerReferences).toHaveLength(2);
    expect(object.metadata.ownerReferences![1]).toMatchObject({ apiVersion: "example.com/v2", uid: "new" });
  });

  it("allows only one controller", () => {
    const object = child();
    setControllerReference(owner("a"), object);
    expect(() => setControllerReference(owner("b"), object)).toThrow(
      "Deployment child is already controlled by Thing a",
    );
    setOwnerReference(owner("b"), object);
    expect(object.metadata.ownerReferences).toHaveLength(2);
  });

  it.each<[string, KubeObject, KubeObject]>([
    ["an object of another namespace", owner("a"), child({ namespace: "other" })],
    ["a cluster-scoped object", owner("a"), { metadata: { name: "zone" } }],
  ])("from a namespaced owner rejects %s", (_name, from, object) => {
    expect(() => setControllerReference(from, object)).toThrow(/in namespace n can't own/);
    expect(object.metadata.ownerReferences).toBeUndefined();
  });

  it("from a cluster-scoped owner accepts any object", () => {
    const { namespace: _namespace, ...metadata } = owner("a").metadata;
    const object = child();
    setControllerReference({ ...owner("a"), metadata }, object);
    expect(hasControllerReference(object)).toBe(true);
  });

  it.each<[string, KubeObject]>([
    ["uid", owner("a", { uid: "" })],
    ["kind", { ...owner("a"), kind: "" }],
    ["apiVersion", { ...owner("a"), apiVersion: "" }],
  ])("requires the owner's %s", (field, from) => {
    expect(() => setOwnerReference(from, child())).toThrow(
      `the owner has no ${field === "uid" ? "metadata.uid" : field}`,
    );
  });

  it("can be removed once", () => {
    const object = child();
    setOwnerReference(owner("a"), object);
    removeOwnerReference(owner("a"), object);
    expect(object.metadata.ownerReferences).toEqual([]);
    expect(() => removeOwnerReference(owner("a"), object)).toThrow(
      "Deployment child has no owner reference to Thing a",
    );
  });

  it("is removed as a controller only if it is one", () => {
    const object = child();
    setControllerReference(owner("a"), object);
    setOwnerReference(owner("b"), object);
    expect(() => removeControllerReference(owner("b"), object)).toThrow("no owner reference to Thing b");
    removeControllerReference(owner("a"), object);
    expect(object.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["b"]);
    expect(() => removeControllerReference(owner("a"), object)).toThrow("no owner reference to Thing a");
  });
});
