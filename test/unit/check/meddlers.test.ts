import { expect, it } from "vitest";
import type { ServerRequest } from "../../../src/apiserver/api-server.ts";
import { ConnectionCut } from "../../../src/apiserver/http/start-http.ts";
import { afterWrite } from "../../../src/check/plans/meddlers.ts";
import { Interference } from "../../../src/check/world/traffic.ts";
import type { World } from "../../../src/check/world/world.ts";

const at = { step: "create", signature: "update things", occurrence: 1 };
const request = { ...at, verb: "update", request: {} as ServerRequest };

it("a deletion after a write has not struck if another fault keeps the write from the server", async () => {
  const interference = new Interference();
  let acts = 0;
  const meddler = afterWrite({ world: {} as World, interference }, at, async () => void acts++);
  const cut = meddler.handle!(request, async () => {
    throw new ConnectionCut();
  });
  await expect(cut).rejects.toThrow(ConnectionCut);
  expect([acts, interference.hasStruck]).toEqual([0, false]);
  await meddler.handle!(request, async () => ({ status: 200, headers: {}, body: "" }));
  expect([acts, interference.hasStruck]).toEqual([1, true]);
});
