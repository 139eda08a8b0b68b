import { describe, expect, it } from "vitest";
import { asker, merge, type Asker, type Watching } from "./ask.ts";
import { randomFrom } from "./random-from.ts";
import { installWidgets, widget, widgetCrd } from "./widgets.ts";

const maps = "/api/v1/namespaces/default/configmaps";

/** A client's copy of a collection: a list, then the events of a watch from there. */
interface Copy {
  readonly query: string;
  readonly objects: Map<string, any>;
  readonly watch: Watching;
}

async function startCopy(api: Asker, query: string, path = maps): Promise<Copy> {
  const { body } = await api.ask("GET", `${path}?${query}`);
  const objects = new Map<string, any>(body.items.map((object: any) => [object.metadata.name, object]));
  const watch = await api.watch(`${path}?watch=true&resourceVersion=${body.metadata.resourceVersion}&${query}`);
  return { query, objects, watch };
}

/** Takes over what happened; an event that does not fit what the copy knows is a fault of the server. */
async function replay({ objects, watch }: Copy): Promise<void> {
  watch.close();
  let last = 0;
  for (let event = await watch.next(); event; event = await watch.next()) {
    const { type, object } = event;
    const { name, resourceVersion } = object.metadata;
    expect(Number(resourceVersion)).toBeGreaterThan(last);
    last = Number(resourceVersion);
    expect([name, type === "ADDED"]).toEqual([name, !objects.has(name)]);
    if (type === "DELETED") objects.delete(name);
    else objects.set(name, object);
  }
}

/** One write among five objects; any of them may be refused. */
function write(api: Asker, random: () => number): Promise<unknown> {
  const name = `m${Math.floor(random() * 5)}`;
  const labels = { tier: random() < 0.5 ? "a" : "b" };
  const data = { at: String(Math.floor(random() * 3)) };
  switch (Math.floor(random() * 6)) {
    case 0:
    case 1:
      return api.ask("POST", maps, { metadata: { name, labels }, data });
    case 2:
      return api.ask("PUT", `${maps}/${name}`, { metadata: { name, labels }, data });
    case 3:
      return api.ask("PATCH", `${maps}/${name}`, { data }, merge);
    case 4: {
      const finalizers = random() < 0.4 ? ["example.com/hold"] : null;
      return api.ask("PATCH", `${maps}/${name}`, { metadata: { labels, finalizers } }, merge);
    }
    default:
      return api.ask("DELETE", `${maps}/${name}`);
  }
}

describe("a copy kept by list and watch", () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))("ends as the server's own state (seed %i)", async (seed) => {
    const random = randomFrom(seed);
    const api = asker();
    const copies: Copy[] = [];
    let running: Promise<unknown>[] = [];
    for (let step = 0; step < 120; step++) {
      running.push(write(api, random));
      // Several writes are under way at once, and copies begin in the midst of them.
      if (step % 20 === 7)
        copies.push(
          await startCopy(api, ["", "labelSelector=tier=a", "fieldSelector=metadata.name=m1"][copies.length % 3]!),
        );
      if (random() < 0.4) running = (await Promise.all(running), []);
    }
    await Promise.all(running);
    for (const copy of copies) {
      await replay(copy);
      const { body } = await api.ask("GET", `${maps}?${copy.query}`);
      // The items of a list leave out their type, which events have.
      const kept = [...copy.objects.values()].map(({ kind: _kind, apiVersion: _version, ...object }) => object);
      kept.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
      expect(kept).toEqual(body.items);
    }
    expect(copies).toHaveLength(6);
  });
});

const versions = ["v1", "v2"];
const widgetsIn = (version: string): string => `/apis/example.com/${version}/namespaces/default/widgets`;

/** A write in either version. */
function writeWidget(api: Asker, random: () => number): Promise<unknown> {
  const version = versions[Math.floor(random() * versions.length)]!;
  const name = `w${Math.floor(random() * 4)}`;
  const spec = { size: random() < 0.5 ? "S" : "L", replicas: Math.floor(random() * 3) };
  const path = `${widgetsIn(version)}/${name}`;
  if (random() < 0.35) {
    const object = { ...widget(name, spec), apiVersion: `example.com/${version}` };
    return api.ask("POST", widgetsIn(version), object);
  }
  return random() < 0.7 ? api.ask("PATCH", path, { spec }, merge) : api.ask("DELETE", path);
}

describe("copies of one kind in two versions", () => {
  it.each([0, 1, 2, 3])("end as the server's own state, with the same versions (seed %i)", async (seed) => {
    const random = randomFrom(seed);
    const api = asker();
    const [only] = widgetCrd().spec.versions;
    await installWidgets(api, {
      versions: versions.map((name) => ({
        ...only,
        name,
        storage: name === "v1",
        selectableFields: [{ jsonPath: ".spec.size" }],
      })),
    });
    const copies: { version: string; copy: Copy }[] = [];
    for (let step = 0; step < 80; step++) {
      const running = [writeWidget(api, random), writeWidget(api, random)];
      const version = versions[copies.length % 2]!;
      // Both versions without a selector, then both with one.
      const query = copies.length < 2 ? "" : "fieldSelector=spec.size%3DS";
      if (step % 20 === 5) copies.push({ version, copy: await startCopy(api, query, widgetsIn(version)) });
      await Promise.all(running);
    }
    const resourceVersions: Record<string, string>[] = [];
    for (const { version, copy } of copies) {
      await replay(copy);
      const { body } = await api.ask("GET", `${widgetsIn(version)}?${copy.query}`);
      const kept = [...copy.objects.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
      expect(kept).toEqual(body.items);
      expect(kept.every(({ apiVersion }) => apiVersion === `example.com/${version}`)).toBe(true);
      resourceVersions.push(
        Object.fromEntries(kept.map(({ metadata }) => [metadata.name, metadata.resourceVersion as string])),
      );
    }
    expect(copies).toHaveLength(4);
    expect(resourceVersions[1]).toEqual(resourceVersions[0]);
    expect(resourceVersions[3]).toEqual(resourceVersions[2]);
  });
});
