import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { BodyRoom, readBody } from "../../../../src/runtime/webhook/body-room.ts";
import { patience } from "../../../patience.ts";
import { listen } from "../../client/listen.ts";

const large = 100_000;
const limit = 1_000_000;

/** Starts a server that answers with the number of bytes of a body. `begun` has the requests whose reading has begun. */
async function start(room: BodyRoom) {
  const begun: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    begun.push(request);
    readBody(request, limit, room).then(
      (body) => response.end(`${body?.length}`),
      () => response.destroy(),
    );
  });
  const port = await listen(server);
  /** Begins a request; `answer` is the text of the answer, or `lost` if the connection ended without one. */
  const open = (headers: Record<string, string | number>): { request: ClientRequest; answer: Promise<string> } => {
    const request = httpRequest({ port, host: "127.0.0.1", method: "POST", agent: false, headers });
    const answer = new Promise<string>((resolve) => {
      request.once("error", () => resolve("lost"));
      request.once("response", (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.once("end", () => resolve(text));
      });
    });
    return { request, answer };
  };
  const send = (size: number): Promise<string> => {
    const { request, answer } = open({ "content-length": size });
    request.end("x".repeat(size));
    return answer;
  };
  /** Sends all but the last byte of a large body, and waits until the server has read it as far as it does. */
  const stall = async () => {
    const stalled = open({ "content-length": large });
    const before = begun.length;
    stalled.request.write("x".repeat(large - 1));
    await expect.poll(() => begun.length, patience).toBe(before + 1);
    return stalled;
  };
  return { begun, open, send, stall };
}

it("makes a large body wait while others use the memory, but not a small one", async () => {
  const { send, stall } = await start(new BodyRoom(1.5 * large, 600_000));
  const first = await stall();
  await expect.poll(() => first.request.writableLength, patience).toBe(0);
  const order: string[] = [];
  const second = send(large).then((answer) => order.push(`second ${answer}`));
  order.push(`small ${await send(1_000)}`, `small ${await send(64 * 1024)}`);
  first.request.end("x");
  order.push(`first ${await first.answer}`);
  await second;
  expect(order.toSorted()).toEqual(["first 100000", "second 100000", "small 1000", "small 65536"]);
  expect(order.at(-1)).toBe("second 100000");
});

it("reads a body alone that is larger than the whole limit", async () => {
  const { send } = await start(new BodyRoom(10_000, 600_000));
  expect(await Promise.all([send(large), send(2 * large)])).toEqual(["100000", "200000"]);
});

it("counts a body without a declared length as the longest one", async () => {
  const { open, send } = await start(new BodyRoom(limit, 600_000));
  const chunked = open({});
  chunked.request.write("x".repeat(large));
  await expect.poll(() => chunked.request.writableLength, patience).toBe(0);
  const order: string[] = [];
  const later = send(large).then(() => order.push("later"));
  order.push(await send(10));
  chunked.request.end();
  order.push(await chunked.answer);
  await later;
  expect(order).toEqual(["10", `${large}`, "later"]);
});

it("rejects a declared length beyond the limit before the body arrives", async () => {
  const { open } = await start(new BodyRoom());
  const { request, answer } = open({ "content-length": limit });
  request.flushHeaders();
  expect(await answer).toBe("undefined");
});

it("releases the memory of a stalled sender after the time limit of a body", async () => {
  const { send, stall } = await start(new BodyRoom(large, 500));
  const stalled = await stall();
  expect(await send(1_000)).toBe("1000");
  expect(await stalled.answer).toBe("lost");
  expect(await send(large)).toBe(`${large}`);
});

it("releases the memory of a sender that disconnects", async () => {
  const { send, stall } = await start(new BodyRoom(large, 600_000));
  const [reading, waiting] = [await stall(), await stall()];
  const last = send(large);
  waiting.request.destroy();
  reading.request.destroy();
  expect(await last).toBe(`${large}`);
});
