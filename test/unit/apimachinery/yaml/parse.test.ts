import { describe, expect, it } from "vitest";
import { parseYamlDocuments, YamlError } from "../../../../src/apimachinery/yaml/parse.ts";
import recorded from "../recorded/yaml.json" with { type: "json" };

interface Answer {
  data?: unknown;
  message?: string;
}

const scalars = Object.entries(recorded.scalars as Record<string, Answer>);
const documents = Object.entries(recorded.documents as Record<string, Answer>);

describe("parseYamlDocuments reads as a recorded server", () => {
  it.each(scalars.filter(([, { data }]) => data))("x: %s", (text, { data }) => {
    expect(parseYamlDocuments(`x: ${text}\n`)).toEqual([data]);
  });

  it.each(documents.filter(([, { data }]) => data))("%j", (text, { data }) => {
    expect(parseYamlDocuments(text)[0]).toEqual(data);
  });
});

describe("parseYamlDocuments refuses as a recorded server", () => {
  /** A null is the one key that the server does not turn into text; js-yaml does. */
  const tolerated = (text: string): boolean => text.includes("null: d");
  const refused = [...scalars.map(([text, answer]): [string, Answer] => [`x: ${text}`, answer]), ...documents].filter(
    ([text, { message }]) => message !== undefined && !tolerated(text),
  );

  it.each(refused)("%j", (text) => {
    expect(() => parseYamlDocuments(text)).toThrow(YamlError);
  });
});

describe("parseYamlDocuments", () => {
  it("reads several documents, empty ones as null", () => {
    expect(parseYamlDocuments("a: 1\n---\n---\n- b\n")).toEqual([{ a: 1 }, null, ["b"]]);
  });

  it("tells the place of an error", () => {
    const read = (): unknown => parseYamlDocuments("a: 1\nb:\n  c: 1\n  c: 2\n");
    expect(read).toThrow(expect.objectContaining({ line: 4, column: 3, reason: "duplicated mapping key" }));
  });

  it("shares nothing between aliases", () => {
    const [document] = parseYamlDocuments("a: &x {b: 1}\nc: *x\n") as [{ a: object; c: object }];
    expect(document.a).not.toBe(document.c);
  });

  it("stops a text that grows without end", () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0 ? "a0: &a0 [x, x, x, x]" : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(8)}]`,
    );
    expect(() => parseYamlDocuments(levels.join("\n"))).toThrow("excessive aliasing");
  });

  it("makes a field of __proto__", () => {
    expect(Object.keys(parseYamlDocuments("__proto__: {a: 1}\n")[0] as object)).toEqual(["__proto__"]);
  });
});
