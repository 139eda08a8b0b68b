import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { eachChunk } from "../../../../src/client/connections/each-chunk.ts";

async function read(stream: Readable): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of eachChunk(stream)) chunks.push(Buffer.from(chunk).toString());
  return chunks;
}

describe("the chunks of a body", () => {
  it("arrive in order to the end", async () => {
    const stream = new PassThrough();
    const chunks = eachChunk(stream)[Symbol.asyncIterator]();
    for (const text of ["a", "b"]) {
      const coming = chunks.next();
      stream.write(text);
      expect((await coming).value).toEqual(Buffer.from(text));
    }
    stream.end("c");
    expect((await chunks.next()).value).toEqual(Buffer.from("c"));
    expect((await chunks.next()).done).toBe(true);
  });

  it("are joined if they queue up", async () => {
    const stream = new PassThrough();
    const chunks = eachChunk(stream)[Symbol.asyncIterator]();
    stream.write("a");
    expect((await chunks.next()).value).toEqual(Buffer.from("a"));
    for (const text of ["b", "c"]) stream.write(text);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await chunks.next()).value).toEqual(Buffer.from("bc"));
  });

  it("stop the sender if they are not consumed, without loss", async () => {
    let sent = 0;
    const stream = new Readable({
      read() {
        this.push(sent < 100 ? Buffer.alloc(64 * 1024, sent++) : null); // prettier-ignore
      },
    });
    let received = 0;
    for await (const chunk of eachChunk(stream)) {
      expect(chunk[0]).toBe(received);
      received += chunk.length / (64 * 1024);
      expect(chunk.at(-1)).toBe(received - 1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(sent - received).toBeLessThan(20);
    }
    expect(received).toBe(100);
  });

  it("end in the error of a broken stream, after the chunks before it", async () => {
    const stream = new PassThrough();
    const chunks = eachChunk(stream)[Symbol.asyncIterator]();
    stream.write("a");
    expect((await chunks.next()).value).toEqual(Buffer.from("a"));
    const failing = chunks.next();
    stream.destroy(new Error("broken"));
    await expect(failing).rejects.toThrow("broken");
  });

  it("end in an error if the stream closes within the body, even before the first read", async () => {
    const stream = new PassThrough();
    const reading = read(stream);
    stream.destroy();
    await expect(reading).rejects.toMatchObject({ code: "ECONNRESET" });
    await expect(read(stream)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("close the stream if the loop ends early", async () => {
    const stream = new PassThrough();
    stream.write("a");
    for await (const _ of eachChunk(stream)) break;
    expect(stream.destroyed).toBe(true);
  });
});
