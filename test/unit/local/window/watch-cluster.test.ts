import { expect, it, vi } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { mergePatch } from "../../../../src/client/patches.ts";
import { CustomResourceDefinition, installCrds } from "../../../../src/client/manifests/install-crds.ts";
import { ConfigMapKind } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { Recorder } from "../../../../src/local/window/recorder.ts";
import { watchCluster } from "../../../../src/local/window/watch-cluster.ts";
import { patience } from "../../../patience.ts";

it("records the objects of a cluster with their field managers", async () => {
  const stop = new AbortController();
  const sandbox = await startSandbox({ simulate: false }, stop.signal);
  const recorder = new Recorder();
  const watching = watchCluster(recorder, sandbox.config, stop.signal);
  const { client } = sandbox;
  const map = { metadata: { name: "seen", namespace: "default" }, data: { a: "b" } };
  await client.create(ConfigMapKind, map, { fieldOwner: "somebody" });
  const revisions = () => recorder.history.get("/configmaps default/seen")?.revisions ?? [];
  await vi.waitUntil(() => revisions().length === 1, patience);
  await client.delete(ConfigMapKind, map);
  await vi.waitUntil(() => revisions().at(-1)?.type === "DELETED", patience);
  expect(revisions()[0]!.by).toEqual({ user: "", manager: "somebody" });
  stop.abort();
  await Promise.all([watching, sandbox.done]);
});

it("records the objects of a kind that is installed later, also in another version", async () => {
  const stop = new AbortController();
  const sandbox = await startSandbox({ simulate: false }, stop.signal);
  const recorder = new Recorder();
  const watching = watchCluster(recorder, sandbox.config, stop.signal);
  const { client } = sandbox;
  const map = { metadata: { name: "first", namespace: "default" } };
  await client.create(ConfigMapKind, map);
  await vi.waitUntil(() => recorder.history.get("/configmaps default/first"), patience);
  const names = { plural: "boats", singular: "boat", kind: "Boat", listKind: "BoatList" };
  const version = (name: string, storage: boolean, served = true) => {
    const schema = { openAPIV3Schema: { type: "object" } };
    return { name, served, storage, schema };
  };
  const crd = (versions: object[]) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "boats.sea.example.com" },
    spec: { group: "sea.example.com", scope: "Namespaced", names, versions },
  });
  const seen = (name: string) => recorder.history.get(`sea.example.com/boats default/${name}`)?.revisions.length;
  const sail = (name: string, at: string) =>
    client.create(defineKind({ group: "sea.example.com", version: at, kind: "Boat", plural: "boats" }), {
      metadata: { name, namespace: "default" },
    });

  await installCrds(client, [crd([version("v1beta1", true)])]);
  await sail("early", "v1beta1");
  await vi.waitUntil(() => seen("early") === 1, patience);

  const versions = [version("v1beta1", false, false), version("v1", true)];
  await client.patch(CustomResourceDefinition, { name: "boats.sea.example.com" }, mergePatch({ spec: { versions } }));
  await vi.waitUntil(() => sail("late", "v1").catch(() => false), patience);
  await vi.waitUntil(() => seen("late") === 1, patience);
  stop.abort();
  await Promise.all([watching, sandbox.done]);
});
