import { describe, expect, it } from "vitest";
import { insertAtPoint, removeFragment } from "../../../../src/scaffold/draft/scaffold-points.ts";

const point = { path: "main.ts", name: "builder" };
const text = "a();\n  // +kubebuilder:scaffold:builder\nz();\n";

describe("scaffold points", () => {
  it("take lines above them, indented as they are", () => {
    expect(insertAtPoint(text, point, "one();\ntwo();")).toBe(
      "a();\n  one();\n  two();\n  // +kubebuilder:scaffold:builder\nz();\n",
    );
  });

  it("take the same lines once only", () => {
    const once = insertAtPoint(text, point, "one();\ntwo();");
    expect(insertAtPoint(once, point, "one();\ntwo();")).toBe(once);
  });

  it("are found whatever their spacing", () => {
    expect(insertAtPoint("#+kubebuilder:scaffold:builder", { path: "k.yaml", name: "builder" }, "- x")).toBe(
      "- x\n#+kubebuilder:scaffold:builder",
    );
  });

  it("are told from points whose names begin alike", () => {
    const longer = "// +kubebuilder:scaffold:builders\n";
    expect(() => insertAtPoint(longer, point, "x")).toThrow(
      expect.objectContaining({ code: "TSOP_SCAFFOLD_POINT_MISSING" }),
    );
  });

  it("that are missing are an error with the lines to paste", () => {
    expect(() => insertAtPoint("a();\n", point, "one();")).toThrow(
      "main.ts has no comment `// +kubebuilder:scaffold:builder`, so this can't be inserted:\none();",
    );
  });

  it("give back what they took", () => {
    expect(removeFragment(insertAtPoint(text, point, "one();\ntwo();"), "one();\ntwo();")).toBe(text);
    expect(removeFragment(text, "one();")).toBe(text);
  });
});
