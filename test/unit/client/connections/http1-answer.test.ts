import { describe, expect, it } from "vitest";
import { Http1AnswerReader, type Http1Answer } from "../../../../src/client/connections/http1-answer.ts";

const text = ({ body }: Http1Answer): string => Buffer.concat([...body]).toString();

/** Returns the responses parsed from the bytes in chunks of this size, with their bodies as text. */
function read(wire: string, size = wire.length) {
  const reader = new Http1AnswerReader();
  const bytes = Buffer.from(wire);
  const answers: object[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const answer = reader.push(bytes.subarray(at, at + size));
    if (answer) answers.push({ ...answer, body: text(answer) });
  }
  return answers;
}

const fixed = "HTTP/1.1 201 Created\r\nContent-Length: 7\r\nX-Name:  a b \r\n\r\nh\u00e9llo!";
const chunked =
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\nD;name=value\r\npedia \r\nin it\r\n0\r\nTrailer: x\r\n\r\n";

describe("a response", () => {
  it.each([1, 2, 3, 7, 1000])("is the same in chunks of %i bytes", (size) => {
    expect(read(fixed, size)).toEqual([
      { status: 201, headers: { "content-length": "7", "x-name": "a b" }, body: "h\u00e9llo!", keep: true },
    ]);
    expect(read(chunked, size)).toEqual([
      { status: 200, headers: { "transfer-encoding": "chunked" }, body: "Wikipedia \r\nin it", keep: true },
    ]);
  });

  it.each([1, 1000])("can follow another response, or an informational one, in chunks of %i bytes", (size) => {
    const reader = new Http1AnswerReader();
    const bodies: string[] = [];
    for (const wire of [fixed, `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${chunked}`, fixed]) {
      const bytes = Buffer.from(wire);
      for (let at = 0; at < bytes.length; at += size) {
        const answer = reader.push(bytes.subarray(at, at + size));
        if (answer) bodies.push(text(answer));
      }
    }
    expect(bodies).toEqual(["h\u00e9llo!", "Wikipedia \r\nin it", "h\u00e9llo!"]);
  });

  it.each([
    "HTTP/1.1 204 No Content\r\n\r\n",
    "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
    "HTTP/1.1 404 \r\ncontent-length: 0\r\n\r\n",
  ])("can have no body: %j", (wire) => {
    expect(read(wire, 1)).toMatchObject([{ body: "", keep: true }]);
  });

  it("can have 16 KiB before the end of the line with the size of a chunk", () => {
    const reader = new Http1AnswerReader();
    const line = "1;x=".padEnd(16 << 10, "y");
    expect(reader.push(Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${line}`))).toBeUndefined();
    expect(text(reader.push(Buffer.from("\na\r\n0\r\n\r\n"))!)).toBe("a");
    reader.push(Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${line}`));
    expect(() => reader.push(Buffer.from("y"))).toThrow("a chunk has no size");
  });

  it("has no status line if it begins with the end of a head, however many bytes follow", () => {
    expect(() => read(`\r\n\r\n${"a".repeat(20_000)}`)).toThrow("it has no status line");
  });

  it("ends with the connection if it has no length", () => {
    const reader = new Http1AnswerReader();
    expect(reader.push(Buffer.from("HTTP/1.1 200 OK\r\n\r\nabc"))).toBeUndefined();
    expect(reader.push(Buffer.from("def"))).toBeUndefined();
    const answer = reader.end()!;
    expect([text(answer), answer.keep]).toEqual(["abcdef", false]);
    expect(reader.end()).toBeUndefined();
  });

  it("is incomplete if the connection ends within it", () => {
    const reader = new Http1AnswerReader();
    reader.push(Buffer.from(fixed.slice(0, -1)));
    expect(reader.end()).toBeUndefined();
  });

  it("joins a repeated header", () => {
    const wire = 'HTTP/1.1 200 OK\r\nWarning: 299 - "a"\r\nwarning: 299 - "b"\r\nContent-Length: 0\r\n\r\n';
    expect(read(wire)).toMatchObject([{ headers: { warning: '299 - "a", 299 - "b"' } }]);
  });

  it.each([
    ["it says so", "HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n"],
    ["it is HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ["more bytes follow than expected", `${fixed}HTTP/1.1 200 OK\r\n`],
  ])("is the last of its connection if %s", (_why, wire) => {
    expect(read(wire)).toMatchObject([{ keep: false }]);
  });

  it.each([
    ["text that is not HTTP", "SSH-2.0-OpenSSH_9.2\r\n\r\n"],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    ["an endless head", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(20_000)}`],
    ["a long head", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(20_000)}\r\n\r\n`],
    ["an endless row of informational ones", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(30)],
    ["a status below 100", "HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n"],
    [
      "an endless row of trailers",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${"Trailer: x\r\n".repeat(2_000)}`,
    ],
    ["a header without a name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"],
    ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"],
    ["an encoding of its own", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"],
    ["a chunk without a size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"],
    ["a chunk longer than its size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"],
    ["an endless size", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1".repeat(20_000)}`],
  ])("is not %s", (_what, wire) => {
    expect(() => read(wire, 1000)).toThrow("the response is not HTTP/1.1");
    expect(() => read(wire)).toThrow("the response is not HTTP/1.1");
  });
});
