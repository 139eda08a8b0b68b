import { afterEach, expect, it, vi } from "vitest";
import type { Kind } from "../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../src/apimachinery/meta.ts";
import {
  ConfigMapKind,
  NamespaceKind,
  PodKind,
  ServiceAccountKind,
} from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { manualClock } from "../../../src/testing/manual-clock.ts";
import { patience } from "../../patience.ts";

let end: () => Promise<void>;
afterEach(() => end());

// `kubectl delete -f -` deletes a namespace first, then the objects in it, each of which must still exist.
it("keeps the objects of a deleted namespace for five seconds, however young it is", async () => {
  const stop = new AbortController();
  const clock = manualClock();
  const { client, done } = await startSandbox({ clock }, stop.signal);
  end = async () => {
    stop.abort();
    await done;
  };
  const name = "doomed";
  const untilThere = <T extends KubeObject>(kind: Kind<T>, key: object, there: boolean): Promise<unknown> =>
    vi.waitUntil(
      async () => {
        await clock.advance(50);
        return ((await client.getOrUndefined(kind, { name, ...key })) !== undefined) === there;
      },
      { ...patience, interval: 1 },
    );
  await client.create(NamespaceKind, { metadata: { name } });
  await client.create(ConfigMapKind, { metadata: { namespace: name, name } });
  // When it is there, the controllers know the namespace.
  await untilThere(ServiceAccountKind, { namespace: name, name: "default" }, true);
  await clock.advance(1_000);

  const begin = clock.now();
  await client.delete(NamespaceKind, { name });
  await untilThere(ConfigMapKind, { namespace: name }, false);
  expect(clock.now() - begin).toBeGreaterThanOrEqual(5_000);
  await untilThere(NamespaceKind, {}, false);
});

it("reports no error if a pod becomes ready for its node while its namespace ends", async () => {
  const stop = new AbortController();
  const clock = manualClock();
  const problems: unknown[] = [];
  const { client, done } = await startSandbox({ clock, onError: (error) => problems.push(error) }, stop.signal);
  end = async () => {
    stop.abort();
    await done;
  };
  const key = { namespace: "doomed", name: "waiting" };
  await client.create(NamespaceKind, { metadata: { name: key.namespace } });
  const pending = "tsop.dev/keep-pending";
  const metadata = { ...key, annotations: { [pending]: "" } };
  const pod = await client.create(PodKind, { metadata, spec: { containers: [{ name: "c", image: "i" }] } });
  await client.delete(NamespaceKind, { name: key.namespace });
  await client.update(PodKind, { ...pod, metadata: { ...pod.metadata, annotations: {} } });
  await vi.waitUntil(
    async () => {
      await clock.advance(50);
      return (await client.getOrUndefined(PodKind, key)) === undefined;
    },
    { ...patience, interval: 1 },
  );
  expect(problems).toEqual([]);
});
