import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { keyedItems } from "./install-kind.ts";
import { asker, merge, type Asker } from "../unit/apiserver/ask.ts";
import { widgetCrd, widgets } from "../unit/apiserver/widgets.ts";

// The CPU time of this thread, which does not depend on what else the machine does.
const schedule = "/proc/thread-self/schedstat";
const cpuMs = (): number => Number(readFileSync(schedule, "latin1").split(" ")[0]) / 1e6;

/** The time that one turn of the event loop may compute. */
const longestTurnMs = 300;
/** The first tries run before the code is compiled. */
const tries = 4;

// Each object has about a megabyte.
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const configMap = (name: string, value: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: Object.fromEntries(numbers(20_000).map((n) => [`key-${n}`, `${value} of the key with the number ${n}`])),
});
const widget = (name: string, value: string) => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name },
  spec: { size: "S", items: numbers(15_000).map((key) => ({ key, value: `${value} of the item ${key}` })) },
});

const apply = { "content-type": "application/apply-patch+yaml" };
const kinds = [
  { kind: "ConfigMap", path: "/api/v1/namespaces/default/configmaps", make: configMap },
  { kind: "Widget", path: widgets, make: widget },
];

describe.skipIf(!existsSync(schedule))("a request for a large object lets others go on", () => {
  it.each(kinds)("a $kind", async ({ path, make }) => {
    const api = asker();
    await installLongWidgets(api);
    const shortest = new Map<string, number>();
    for (let round = 0; round < tries; round++) {
      const send = async (title: string, ...request: Parameters<Asker["ask"]>): Promise<void> => {
        const { reply, turn } = await longestTurn(() => api.ask(...request));
        expect(reply.status, `${title}: ${reply.body.message}`).toBeLessThan(300);
        shortest.set(title, Math.min(turn, shortest.get(title) ?? Infinity));
      };
      const created = JSON.stringify(make(`c${round}`, "first"));
      const applied = (value: string) => JSON.stringify(make(`a${round}`, value));
      const yaml = { accept: "application/yaml" };
      await send("create", "POST", path, created);
      await send("merge patch", "PATCH", `${path}/c${round}`, JSON.stringify(make(`c${round}`, "other")), merge);
      await send("apply", "PATCH", `${path}/a${round}?fieldManager=f`, applied("first"), apply);
      await send("apply with changes", "PATCH", `${path}/a${round}?fieldManager=f`, applied("other"), apply);
      await send("read as YAML", "GET", `${path}/a${round}`, undefined, yaml);
    }
    for (const [title, ms] of shortest) expect(ms, `CPU ms of the longest turn: ${title}`).toBeLessThan(longestTurnMs);
  });
});

async function installLongWidgets(api: Asker): Promise<void> {
  const crd = widgetCrd();
  crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.items = keyedItems;
  await api.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
  await expect.poll(async () => (await api.ask("GET", widgets)).status).toBe(200);
}

/** Carries out work and returns the longest turn of the event loop meanwhile, in CPU time of this thread. */
async function longestTurn<T>(work: () => Promise<T>): Promise<{ reply: T; turn: number }> {
  let turn = 0;
  let last = cpuMs();
  let watching = true;
  const look = (): void => {
    const now = cpuMs();
    turn = Math.max(turn, now - last);
    last = now;
    if (watching) setImmediate(look);
  };
  setImmediate(look);
  const reply = await work();
  watching = false;
  look();
  return { reply, turn };
}
