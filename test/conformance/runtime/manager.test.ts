import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  addFinalizer,
  controllerManagedBy,
  createManager,
  discardLogger,
  removeFinalizer,
  setControllerReference,
  type Manager,
  type ManagerOptions,
} from "../../../src/index.ts";
import { ConfigMap, Pod, Secret, Service } from "../../../src/k8s/core/v1.ts";
import { Event } from "../../../src/k8s/events/v1.ts";
import { targets } from "./targets.ts";

const namespace = "default";
const labels = { suite: "manager" };

describe.each(targets)("a manager on $name", ({ make }) => {
  const env = make();
  const running: { stop: AbortController; done: Promise<void> }[] = [];

  beforeAll(() => env.start());
  afterAll(() => env.stop());
  afterEach(async () => {
    for (const { stop, done } of running.splice(0)) {
      stop.abort();
      await done;
    }
    for (const kind of [ConfigMap, Secret]) await env.client.deleteAllOf(kind, { namespace, labels });
  });

  async function manager(options: ManagerOptions = {}): Promise<Manager> {
    return createManager(env.config, { logger: discardLogger, ...options });
  }

  function start(mgr: Manager): { stop: AbortController; done: Promise<void> } {
    const stop = new AbortController();
    const life = { stop, done: mgr.start(stop.signal) };
    running.push(life);
    return life;
  }

  it("reconciles many objects, and removes its finalizer at the end", async () => {
    const names = Array.from({ length: 30 }, (_, n) => `many-${n}`);
    for (const name of names) await env.client.create(ConfigMap, { metadata: { namespace, name, labels } });
    const mgr = await manager({ cache: { labels } });
    const recorder = mgr.eventRecorder("suite");
    await controllerManagedBy(mgr)
      .for(ConfigMap)
      .owns(Secret)
      .withOptions({ maxConcurrentReconciles: 4 })
      .complete({
        async reconcile(req) {
          const object = await mgr.client.getOrUndefined(ConfigMap, req);
          if (!object) return;
          if (object.metadata.deletionTimestamp) {
            if (removeFinalizer(object, "example.com/suite")) await mgr.client.update(ConfigMap, object);
            return;
          }
          if (addFinalizer(object, "example.com/suite")) {
            await mgr.client.update(ConfigMap, object);
            return;
          }
          if (await mgr.client.getOrUndefined(Secret, req)) return;
          const secret: Secret = { metadata: { namespace, name: req.name, labels } };
          setControllerReference(object, secret);
          await mgr.client.create(Secret, secret);
          recorder.event(object, "Normal", "Created", "Create", "made a Secret");
        },
      });
    start(mgr);
    await expect
      .poll(async () => (await env.client.list(Secret, { namespace, labels })).items.length)
      .toBe(names.length);
    await expect
      .poll(
        async () =>
          (await env.client.list(Event, { namespace })).items.filter((event) =>
            event.metadata.name?.startsWith("many-"),
          ).length,
      )
      .toBe(names.length);
    await env.client.deleteAllOf(ConfigMap, { namespace, labels });
    await expect.poll(async () => (await env.client.list(ConfigMap, { namespace, labels })).items.length).toBe(0);
  });

  it("reads its own writes from the cache", async () => {
    const mgr = await manager();
    start(mgr);
    await mgr.elected;
    let object = await mgr.client.create(ConfigMap, { metadata: { namespace, name: "own", labels }, data: { n: "0" } });
    await mgr.client.list(ConfigMap, { namespace });
    for (let n = 1; n <= 100; n++) {
      await mgr.client.update(ConfigMap, { ...object, data: { n: String(n) } });
      object = await mgr.client.get(ConfigMap, { namespace, name: "own" });
      expect(object.data).toEqual({ n: String(n) });
    }
  });

  it("hides an object after it removes the last finalizer, and only then", async () => {
    const mgr = await manager();
    start(mgr);
    await mgr.elected;
    const finalizer = "example.com/own";
    await mgr.client.list(ConfigMap, { namespace });
    for (let n = 0; n < 20; n++) {
      const key = { namespace, name: `let-go-${n}` };
      const made = await mgr.client.create(ConfigMap, {
        metadata: { ...key, labels, finalizers: [finalizer, "example.com/b"] },
      });
      await env.client.delete(ConfigMap, key);
      const deleting = await expect.poll(async () => (await mgr.client.get(ConfigMap, key)).metadata.deletionTimestamp).toBeDefined().then(() => mgr.client.get(ConfigMap, key)); // prettier-ignore
      const one = await mgr.client.update(ConfigMap, { ...deleting, metadata: { ...deleting.metadata, finalizers: [finalizer] } }); // prettier-ignore
      expect((await mgr.client.get(ConfigMap, key)).metadata.finalizers).toEqual([finalizer]);
      await mgr.client.update(ConfigMap, { ...one, metadata: { ...one.metadata, finalizers: [] } });
      expect(await mgr.client.getOrUndefined(ConfigMap, key)).toBeUndefined();
      const lists = [await mgr.client.list(ConfigMap, { namespace }), await mgr.client.list(ConfigMap, { namespace, readonly: true })]; // prettier-ignore
      expect(lists.map(({ items }) => items.some(({ metadata }) => metadata.uid === made.metadata.uid))).toEqual([false, false]); // prettier-ignore
    }
  });

  it("hides an object that it deleted immediately, and shows one that is terminating", async () => {
    const mgr = await manager();
    start(mgr);
    await mgr.elected;
    const { client } = mgr;
    await client.list(ConfigMap, { namespace });
    for (let n = 0; n < 20; n++) {
      const key = { namespace, name: `deleted-${n}` };
      const { metadata } = await client.create(ConfigMap, { metadata: { ...key, labels } });
      await client.delete(ConfigMap, key);
      expect(await client.getOrUndefined(ConfigMap, key)).toBeUndefined();
      const again = await client.create(ConfigMap, { metadata: { ...key, labels, finalizers: ["example.com/own"] } });
      expect(again.metadata.uid).not.toBe(metadata.uid);
      await client.delete(ConfigMap, key, { preconditions: { uid: again.metadata.uid! } });
      const ending = await client.get(ConfigMap, key);
      expect(ending.metadata).toMatchObject({ uid: again.metadata.uid, deletionTimestamp: expect.any(String) });
      await client.update(ConfigMap, { ...ending, metadata: { ...ending.metadata, finalizers: [] } });
      expect(await client.getOrUndefined(ConfigMap, key)).toBeUndefined();
    }
    const pod = { metadata: { namespace, name: "ending", labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    const service = { metadata: { namespace, name: "ending", labels }, spec: { ports: [{ port: 80 }] } };
    await client.list(Pod, { namespace });
    await client.list(Service, { namespace });
    await client.create(Pod, pod);
    await client.delete(Pod, pod, { gracePeriodSeconds: 0 });
    expect(await client.getOrUndefined(Pod, pod.metadata)).toBeUndefined();
    await client.create(Service, service);
    await client.delete(Service, service);
    expect(await client.getOrUndefined(Service, service.metadata)).toBeUndefined();
  });
});
