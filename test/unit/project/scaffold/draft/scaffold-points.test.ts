import { describe, expect, it } from "vitest";
import { insertAtPoint, removeFragment } from "../../../../../src/project/scaffold/draft/scaffold-points.ts";

const point = { path: "main.ts", name: "builder" };
const text = "a();\n  // +kubebuilder:scaffold:builder\nz();\n";

describe("a scaffold point", () => {
  it("inserts lines above itself with its indentation", () => {
    expect(insertAtPoint(text, point, "one();\ntwo();")).toBe(
      "a();\n  one();\n  two();\n  // +kubebuilder:scaffold:builder\nz();\n",
    );
  });

  it("inserts the same lines only once", () => {
    const once = insertAtPoint(text, point, "one();\ntwo();");
    expect(insertAtPoint(once, point, "one();\ntwo();")).toBe(once);
  });

  it("is found with any spacing", () => {
    expect(insertAtPoint("#+kubebuilder:scaffold:builder", { path: "k.yaml", name: "builder" }, "- x")).toBe(
      "- x\n#+kubebuilder:scaffold:builder",
    );
  });

  it("is distinct from a point with the same prefix", () => {
    const longer = "// +kubebuilder:scaffold:builders\n";
    expect(() => insertAtPoint(longer, point, "x")).toThrow(
      expect.objectContaining({ code: "TSOP_SCAFFOLD_POINT_MISSING" }),
    );
  });

  it("is required: an error shows the lines to paste", () => {
    expect(() => insertAtPoint("a();\n", point, "one();")).toThrow(
      "main.ts has no comment `// +kubebuilder:scaffold:builder`, so this can't be inserted:\none();",
    );
  });

  it("removes the inserted lines", () => {
    expect(removeFragment(insertAtPoint(text, point, "one();\ntwo();"), "one();\ntwo();")).toBe(text);
    expect(removeFragment(text, "one();")).toBe(text);
  });

  it("opens an empty list of YAML, and leaves one", () => {
    const list = { path: "k.yaml", name: "env" };
    const empty = "  env: []\n  # +kubebuilder:scaffold:env\n";
    const filled = "  env:\n  - name: A\n  # +kubebuilder:scaffold:env\n";
    expect(insertAtPoint(empty, list, "- name: A")).toBe(filled);
    expect(removeFragment(filled, "- name: A")).toBe(empty);
    const two = insertAtPoint(filled, list, "- name: B");
    expect(removeFragment(two, "- name: A")).toBe("  env:\n  - name: B\n  # +kubebuilder:scaffold:env\n");
  });
});
