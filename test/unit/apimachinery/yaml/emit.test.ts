import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { emitYaml, emitYamlDocuments } from "../../../../src/apimachinery/yaml/emit.ts";

// Recorded from sigs.k8s.io/yaml v1.6.0 (JSONToYAML), which controller-gen and operator-sdk use.
const recorded = JSON.parse(readFileSync(new URL("go-yaml.json", import.meta.url), "utf8")) as [unknown, string][];

describe("emitYaml", () => {
  it.each(recorded.map(([value, text]) => ({ value, text })))("writes $value like go-yaml", ({ value, text }) => {
    expect(emitYaml(value)).toBe(text);
  });

  it("omits undefined members", () => {
    expect(emitYaml({ a: undefined, b: { c: undefined }, d: 1 })).toBe("b: {}\nd: 1\n");
  });

  it("puts a separator before every document", () => {
    expect(emitYamlDocuments([{ a: 1 }, { b: 2 }])).toBe("---\na: 1\n---\nb: 2\n");
  });

  it("escapes line separators, which editors would break", () => {
    expect(emitYaml("a\u2028b")).toBe('"a\\Lb"\n');
  });

  it("writes text that parses to the same value", () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 500; round++) {
      const value = { text: randomText(random), [`k${randomText(random)}`]: [randomText(random)] };
      expect(load(emitYaml(value))).toEqual(value);
    }
  });
});

function randomText(random: () => number): string {
  const atoms = ["a", " ", "\n", ":", "#", "-", "'", '"', "\\", "0", "1.5", "é", "\u{1F600}", "\t", "long words here "];
  return Array.from({ length: random() * 30 }, () => atoms[Math.floor(random() * atoms.length)]).join("");
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}
