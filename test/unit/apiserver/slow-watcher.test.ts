import { expect, it } from "vitest";
import { asker, merge } from "./ask.ts";

const maps = "/api/v1/namespaces/default/configmaps";

it("sends an initial state of any length, and ends for a client that does not read changes", async () => {
  const api = asker();
  const count = 20_100;
  for (let index = 0; index < count; index++) await api.ask("POST", maps, { metadata: { name: `m-${index}` } });
  const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const watch = await api.watch(`${maps}?${query}`);
  for (let index = 0; index < count; index++) expect((await watch.next()).type).toBe("ADDED");
  expect(await watch.next()).toMatchObject({ type: "BOOKMARK" });
  for (let index = 0; index < count; index++) await api.ask("PATCH", `${maps}/m-${index}`, { data: { x: "1" } }, merge);
  let changes = 0;
  while (await watch.next()) changes++;
  expect(changes).toBe(20_000);
});
