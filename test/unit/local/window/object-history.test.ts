import { expect, it } from "vitest";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { diffRevisions, objectDetail } from "../../../../src/local/window/history/object-detail.ts";
import { ObjectHistory } from "../../../../src/local/window/history/object-history.ts";

const configMap = (name: string, resourceVersion: number, value = ""): UnstructuredObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", uid: name, resourceVersion: String(resourceVersion) },
  data: { value },
});

/** Adds revisions 1, 2 … of an object, one a millisecond. */
function write(history: ObjectHistory, name: string, at: number, ...values: string[]): void {
  values.forEach((value, index) => {
    const type = index === 0 && !history.get(`/configmaps default/${name}`) ? "ADDED" : "MODIFIED";
    const time = at + index;
    history.add({ id: `/configmaps default/${name}`, at: time, type, object: configMap(name, time, value) });
  });
}

it("shows the objects of any moment", () => {
  const history = new ObjectHistory();
  write(history, "a", 10, "one", "two");
  write(history, "b", 20, "one");
  history.add({ id: "/configmaps default/a", at: 30, type: "DELETED", object: configMap("a", 30, "two") });
  const namesAt = (time: number) => history.at(time).objects.map(({ name, resourceVersion }) => name + resourceVersion);
  expect([9, 10, 11, 20, 30].map(namesAt)).toEqual([[], ["a10"], ["a11"], ["a11", "b20"], ["b20"]]);
  expect([...history.rows()].map(({ name }) => name)).toEqual(["b"]);
});

it("returns the difference of any two revisions, and of the first to nothing", () => {
  const history = new ObjectHistory();
  write(history, "a", 1, "one", "two", "three");
  const biography = history.get("/configmaps default/a")!;
  const changed = (from: number | undefined, to: number) =>
    diffRevisions(biography, from, to)
      .filter(({ mark, text }) => /[-+]/.test(mark) && text.includes("value"))
      .map(({ mark, text }) => mark + text.trim());
  expect(changed(1, 3)).toEqual(["-value: one", "+value: three"]);
  expect(changed(undefined, 1)).toEqual(["+value: one"]);
});

it("drops the oldest superseded revisions and reports it, but never the state of an object", () => {
  const history = new ObjectHistory({ revisions: 3, size: 1_000_000 });
  write(history, "kept", 1, "only");
  write(history, "a", 10, "1", "2", "3", "4", "5", "6");
  const { revisions, dropped } = objectDetail(history, "/configmaps default/a")!;
  expect(revisions.map(({ n }) => n)).toEqual([3, 4, 5, 6]);
  expect(dropped).toBe(2);
  expect(history.dropped).toEqual({ revisions: 2, before: 12 });
  expect(history.at(11)).toMatchObject({ complete: false, objects: [{ name: "kept" }] });
  expect(history.at(12).complete).toBe(true);
});

it("bounds the characters as well, and forgets deleted objects in the end", () => {
  const history = new ObjectHistory({ revisions: 100, size: 2_000 });
  for (let index = 0; index < 50; index++) {
    const object = configMap(`gone-${index}`, index, "x".repeat(300));
    const id = `/configmaps default/gone-${index}`;
    history.add({ id, at: index, type: "ADDED", object });
    history.add({ id, at: index, type: "DELETED", object });
  }
  expect(history.dropped.revisions).toBeGreaterThan(40);
  expect(history.get("/configmaps default/gone-0")).toBeUndefined();
  expect(history.get("/configmaps default/gone-49")).toBeDefined();
});

it("numbers the revisions of an object that is created again", () => {
  const history = new ObjectHistory();
  write(history, "a", 1, "one");
  history.add({ id: "/configmaps default/a", at: 2, type: "DELETED", object: configMap("a", 2) });
  write(history, "a", 3, "new");
  expect(objectDetail(history, "/configmaps default/a")!.revisions.map(({ n, type }) => [n, type])).toEqual([
    [1, "ADDED"],
    [2, "DELETED"],
    [3, "MODIFIED"],
  ]);
});
