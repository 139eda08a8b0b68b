import { createServer, type RequestListener } from "node:http";
import { expect, it } from "vitest";
import { listen } from "../listen.ts";
import { fetchText } from "../../../../src/client/manifests/fetch-text.ts";

async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}/crds.yaml`;
}

const { signal } = new AbortController();

it("reads a text up to the limit", async () => {
  const url = await serve((_request, response) => response.end("kind: ü"));
  expect(await fetchText(url, { signal, mostBytes: 8 })).toBe("kind: ü");
  await expect(fetchText(url, { signal, mostBytes: 7 })).rejects.toMatchObject({
    message: expect.stringContaining("it is larger than 7 bytes") as string,
  });
});

it("does not wait for the end of a text without one", async () => {
  const url = await serve((_request, response) => {
    const timer = setInterval(() => response.write("x".repeat(1_000)), 1);
    response.on("close", () => clearInterval(timer));
  });
  await expect(fetchText(url, { signal, mostBytes: 5_000 })).rejects.toMatchObject({ code: "TSOP_CRD_URL" });
});

it("ends after the time limit, also in the middle of a text", async () => {
  const url = await serve((_request, response) => response.write("kind:"));
  await expect(fetchText(url, { signal, timeoutMs: 50 })).rejects.toMatchObject({
    message: expect.stringContaining("the server does not answer within 0.05 seconds") as string,
  });
});

it("ends when it is interrupted", async () => {
  const url = await serve(() => {});
  const reading = fetchText(url, { signal: AbortSignal.timeout(20) });
  await expect(reading).rejects.toMatchObject({ code: "TSOP_INTERRUPTED" });
});
