import { describe, expect, it } from "vitest";
import { parseYamlDocuments, YamlError } from "../../../../src/apimachinery/yaml/parse.ts";
import recorded from "../recorded/yaml.json" with { type: "json" };

interface Answer {
  data?: unknown;
  message?: string;
}

const scalars = Object.entries(recorded.scalars as Record<string, Answer>);
const documents = Object.entries(recorded.documents as Record<string, Answer>);

describe("parseYamlDocuments parses like a recorded server", () => {
  it.each(scalars.filter(([, { data }]) => data))("x: %s", (text, { data }) => {
    expect(parseYamlDocuments(`x: ${text}\n`)).toEqual([data]);
  });

  it.each(documents.filter(([, { data }]) => data))("%j", (text, { data }) => {
    expect(parseYamlDocuments(text)[0]).toEqual(data);
  });
});

describe("parseYamlDocuments rejects the same input as a recorded server", () => {
  /** Reports whether js-yaml accepts a text that the server rejects: only one with a null key. */
  const isTolerated = (text: string): boolean => text.includes("null: d");
  const refused = [...scalars.map(([text, answer]): [string, Answer] => [`x: ${text}`, answer]), ...documents].filter(
    ([text, { message }]) => message !== undefined && !isTolerated(text),
  );

  it.each(refused)("%j", (text) => {
    expect(() => parseYamlDocuments(text)).toThrow(YamlError);
  });
});

describe("parseYamlDocuments", () => {
  it("parses several documents, with null for an empty one", () => {
    expect(parseYamlDocuments("a: 1\n---\n---\n- b\n")).toEqual([{ a: 1 }, null, ["b"]]);
  });

  it("reports the position of an error", () => {
    const read = (): unknown => parseYamlDocuments("a: 1\nb:\n  c: 1\n  c: 2\n");
    expect(read).toThrow(expect.objectContaining({ line: 4, column: 3, reason: "duplicated mapping key" }));
  });

  it("shares no values between aliases", () => {
    const [document] = parseYamlDocuments("a: &x {b: 1}\nc: *x\n") as [{ a: object; c: object }];
    expect(document.a).not.toBe(document.c);
  });

  it("stops an alias expansion that grows without limit", () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0 ? "a0: &a0 [x, x, x, x]" : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(8)}]`,
    );
    expect(() => parseYamlDocuments(levels.join("\n"))).toThrow("excessive aliasing");
  });

  it.each([
    ["a: 1\nb: &b [*b]\n", 2, 8],
    ["a: &a\n  # itself\n  b: *a\n", 3, 6],
    ["a:\n- .inf\n", 2, 1],
  ])("reports the place in %j", (text, line, column) => {
    expect(() => parseYamlDocuments(text)).toThrow(expect.objectContaining({ name: "YamlError", line, column }));
  });

  it("sets a field named __proto__", () => {
    expect(Object.keys(parseYamlDocuments("__proto__: {a: 1}\n")[0] as object)).toEqual(["__proto__"]);
  });
});
