import { describe, expect, it } from "vitest";
import { LineSplitter } from "../../../../src/client/calls/line-splitter.ts";

const texts = (lines: readonly Buffer[]): string[] => lines.map((line) => line.toString());
const text = 'first\n{"ü":"€ 😀"}\n\nlast line\n';

describe("a line splitter", () => {
  it.each(Array.from({ length: 12 }, (_, n) => n + 1))("returns the same lines from chunks of %i bytes", (size) => {
    const bytes = Buffer.from(text);
    const splitter = new LineSplitter();
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += size) lines.push(...texts(splitter.push(bytes.subarray(at, at + size))));
    expect(lines).toEqual(["first", '{"ü":"€ 😀"}', "last line"]);
  });

  it("keeps an incomplete line", () => {
    const splitter = new LineSplitter();
    expect(splitter.push(Buffer.from("half"))).toEqual([]);
    expect(texts(splitter.push(Buffer.from(" done\nnext")))).toEqual(["half done"]);
  });

  it("rejects a line without an end", () => {
    const splitter = new LineSplitter(10);
    splitter.push(Buffer.from("123456"));
    expect(() => splitter.push(Buffer.from("7890123"))).toThrow(/longer than 10 bytes/);
  });
});
