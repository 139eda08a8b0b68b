import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createManager,
  type CacheOptions,
  discardLogger,
  type KubeObject,
  type Manager,
  type ManagerOptions,
} from "../../../src/index.ts";
import { ConfigMap, Namespace } from "../../../src/k8s/core/v1.ts";
import { eventually } from "../../../src/testing/index.ts";
import type { ChaosServer } from "./chaos/chaos-server.ts";
import { patience } from "../../patience.ts";
import { runInTest } from "../../unit/runtime/run.ts";
import { embeddedServer } from "./chaos/embedded-server.ts";
import { realServer } from "./chaos/real-server.ts";

const assets = process.env["KUBEBUILDER_ASSETS"];
const targets = [
  { name: "the embedded server", start: embeddedServer },
  ...(assets ? [{ name: "a real kube-apiserver", start: () => realServer(assets) }] : []),
];

describe.each(targets)("a cache with $name", ({ start }) => {
  let server: ChaosServer;

  beforeAll(async () => {
    server = await start();
    for (const name of ["one", "two", "three"]) await server.client.create(Namespace, { metadata: { name } });
    for (const [namespace, name, team] of seed) await server.client.create(ConfigMap, configMap(namespace, name, team));
  });
  afterAll(async () => {
    await server.stop();
  });

  const seed = [["one", "a", "red"], ["one", "b", "blue"], ["two", "a", "red"], ["three", "a", "red"]] as const; // prettier-ignore

  function configMap(namespace: string, name: string, team: string): ConfigMap {
    return { metadata: { namespace, name, labels: { suite: "cache" } }, data: { team } };
  }

  async function manager(options: ManagerOptions = {}): Promise<Manager> {
    const cache = { byKind: [[ConfigMap, { labels: { suite: "cache" } }]], ...options.cache } satisfies CacheOptions;
    return createManager(server.config, { logger: discardLogger, cache });
  }

  const byTeam = (object: ConfigMap): string[] => [object.data?.["team"] ?? ""];
  const byName = (object: ConfigMap): string[] => [object.metadata.name!];
  const keys = ({ items }: { items: readonly KubeObject[] }): string[] =>
    items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).toSorted();
  const list = async (mgr: Manager, fields: Record<string, string>): Promise<string[]> =>
    keys(await mgr.client.list(ConfigMap, { fields }));

  it("finds objects by indexes added before the start, in the same turn, during the initial list, and later", async () => {
    const mgr = await manager();
    mgr.cache.indexField(ConfigMap, "before", byTeam);
    runInTest((signal) => mgr.start(signal));
    mgr.cache.indexField(ConfigMap, "sameTurn", byTeam);
    await mgr.elected;
    const reading = mgr.client.list(ConfigMap);
    mgr.cache.indexField(ConfigMap, "during", byTeam);
    expect(keys(await reading)).toHaveLength(seed.length);
    mgr.cache.indexField(ConfigMap, "after", byTeam);
    const readEveryIndex = async (team: string): Promise<string[][]> =>
      Promise.all(["before", "sameTurn", "during", "after"].map((field) => list(mgr, { [field]: team })));
    const red = ["one/a", "three/a", "two/a"];
    expect(await readEveryIndex("red")).toEqual([red, red, red, red]);
    const b = ["one/b"];
    // An index is built from the existing objects and then follows changes.
    await server.client.update(ConfigMap, configMap("one", "b", "green"));
    await eventually(async () => expect(await readEveryIndex("green")).toEqual([b, b, b, b]), patience);
    expect(await readEveryIndex("blue")).toEqual([[], [], [], []]);
    mgr.cache.indexField(ConfigMap, "name", byName);
    expect(await list(mgr, { name: "a", after: "red" })).toEqual(red);
    await server.client.update(ConfigMap, configMap("one", "b", "blue"));
  });

  it("holds the objects of its namespaces only, and cluster-scoped objects", async () => {
    const mgr = await manager({ cache: { namespaces: ["one", "two"] } });
    runInTest((signal) => mgr.start(signal));
    await mgr.elected;
    expect(keys(await mgr.client.list(ConfigMap))).toEqual(["one/a", "one/b", "two/a"]);
    expect(keys(await mgr.client.list(ConfigMap, { namespace: "three" }))).toEqual([]);
    const three = await mgr.client.get(Namespace, { name: "three" });
    expect(three.metadata.name).toBe("three");
    const events: string[] = [];
    await mgr.cache.informer(ConfigMap).addHandler({
      add: ({ metadata }, initial) => void (initial || events.push(`add ${metadata.namespace}`)),
      update: () => undefined,
      delete: ({ metadata }) => void events.push(`delete ${metadata.namespace}`),
    });
    for (const namespace of ["three", "one", "two"]) {
      await server.client.create(ConfigMap, configMap(namespace, "new", "red"));
      await server.client.delete(ConfigMap, { namespace, name: "new" });
    }
    await eventually(() => expect(events).toHaveLength(4), patience);
    expect(events.toSorted()).toEqual(["add one", "add two", "delete one", "delete two"]);
  });
});
