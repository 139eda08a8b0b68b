import { describe, expect, it } from "vitest";
import { parseObjects } from "../../../src/olm/parse-objects.ts";

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n";

describe("parseObjects", () => {
  it("reads scalars as Kubernetes does", () => {
    const text = `${configMap}data:\n  bool: yes\n  mode: 0644\n  day: 2026-01-02\n`;
    expect(parseObjects(text, "a.yaml")[0]?.["data"]).toEqual({ bool: true, mode: 420, day: "2026-01-02" });
  });

  it("leaves out what is no object", () => {
    expect(parseObjects(`---\n---\n${configMap}---\n- a list\n`, "a.yaml")).toMatchObject([{ kind: "ConfigMap" }]);
  });

  it.each([
    ["a key that is there twice", `${configMap}  name: two\n`, "a.yaml:5:3: duplicated mapping key"],
    [
      "a broken line, in whichever document",
      `${configMap}---\na: [1\nb: 2\n`,
      "a.yaml:7:1: missed comma between flow collection entries",
    ],
    ["an alias of nothing", "a: *b\n", "a.yaml:1:6: unidentified alias"],
  ])("tells the place of %s", (_, text, message) => {
    expect(() => parseObjects(text, "a.yaml")).toThrow(message);
  });
});
