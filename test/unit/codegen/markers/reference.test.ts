import { describe, expect, it } from "vitest";
import { markerReference } from "../../../../src/codegen/markers/reference.ts";

describe("markerReference", () => {
  const reference = markerReference();

  it("has a sentence for every marker and every argument", () => {
    const sentences = reference.flatMap((marker) => [marker.help, ...marker.arguments.map(({ help }) => help)]);
    expect(sentences.filter((help) => help.trim() === "")).toEqual([]);
    expect(reference.length).toBeGreaterThan(60);
  });

  it("shows how a marker is written", () => {
    const usages = new Map(reference.map(({ name, usage }) => [name, usage]));
    expect(usages.get("nullable")).toBe("+nullable");
    expect(usages.get("kubebuilder:validation:MinLength")).toBe("+kubebuilder:validation:MinLength=<int>");
    expect(usages.get("kubebuilder:subresource:scale")).toBe(
      "+kubebuilder:subresource:scale:specpath=<string>,statuspath=<string>[,selectorpath=<string>]",
    );
  });

  it("lists each marker once for each target", () => {
    const keys = reference.flatMap(({ name, targets }) => targets.map((target) => `${target} ${name}`));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
