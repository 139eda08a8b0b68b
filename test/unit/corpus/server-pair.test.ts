import { describe, expect, it } from "vitest";
import { withoutSuffix } from "../../../lab/corpus/server-pair.ts";

describe("withoutSuffix", () => {
  const refusal = (name: string): string =>
    JSON.stringify({ message: `Thing "${name}" is invalid`, details: { name } });

  it.each([
    ["web-", "web-s6k2p", "web-<suffix>"],
    [`a"b-`, `a"b-s6k2p`, `a"b-<suffix>`],
    ["x".repeat(70), `${"x".repeat(58)}s6k2p`, `${"x".repeat(58)}<suffix>`],
  ])("replaces the end of what is generated for %s", (generateName, name, expected) => {
    expect(withoutSuffix(refusal(name), { metadata: { generateName } })).toBe(refusal(expected));
  });

  it.each([{ name: "web-s6k2p", generateName: "web-" }, { generateName: "" }, {}])(
    "keeps the name for %j",
    (metadata) => {
      expect(withoutSuffix(refusal("web-s6k2p"), { metadata })).toBe(refusal("web-s6k2p"));
    },
  );

  it("keeps a text for which nothing was sent", () => {
    expect(withoutSuffix(refusal("web-s6k2p"), undefined)).toBe(refusal("web-s6k2p"));
  });
});
