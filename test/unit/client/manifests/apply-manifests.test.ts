import { describe, expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { applyManifests } from "../../../../src/client/manifests/apply-manifests.ts";
import { installCrds } from "../../../../src/client/manifests/install-crds.ts";
import type { Manifest } from "../../../../src/client/manifests/read-manifests.ts";
import { openCrd } from "../../../../src/testing/open-crd.ts";
import { embeddedClient } from "../../runtime/embedded-client.ts";

const Boat = defineKind({ group: "example.com", version: "v1", kind: "Boat", plural: "boats" });
const metadata = { name: "a", namespace: "default" };
const boat: Manifest = { file: "a.yaml", object: { apiVersion: "example.com/v1", kind: "Boat", metadata } };
const settings: Manifest = { file: "b.yaml", object: { apiVersion: "v1", kind: "ConfigMap", metadata } };

describe("objects of a kind that is not served", () => {
  it("wait, with patience, until an operator has defined it, after the other objects", async () => {
    const { client } = embeddedClient();
    const patience = () => AbortSignal.timeout(10_000);
    const applying = applyManifests({ client, namespace: "default", patience }, [boat, settings], ({ kind }) => {
      if (kind.kind === "ConfigMap") void installCrds(client, [openCrd(Boat)]);
    });
    expect((await applying).map(({ kind }) => kind.kind)).toEqual(["ConfigMap", "Boat"]);
    expect((await client.get(Boat, metadata)).metadata.name).toBe("a");
  });

  it("are rejected after the time limit", async () => {
    const { client } = embeddedClient();
    const target = { client, namespace: "default", patience: () => AbortSignal.timeout(0) };
    const applying = applyManifests(target, [boat, settings]);
    await expect(applying).rejects.toThrow("a.yaml: the server does not serve Boat in example.com/v1");
  });

  it("are rejected before anything is applied if there is no time to wait", async () => {
    const { client } = embeddedClient();
    const applying = applyManifests({ client, namespace: "default" }, [settings, boat]);
    await expect(applying).rejects.toMatchObject({ code: "TSOP_KIND_NOT_SERVED" });
    expect(await client.getOrUndefined(ConfigMap, metadata)).toBeUndefined();
  });
});
