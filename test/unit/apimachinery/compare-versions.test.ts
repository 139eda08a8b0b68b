import { expect, it } from "vitest";
import { compareVersions } from "../../../src/apimachinery/compare-versions.ts";

it("orders GA, beta, alpha and foreign names, with newer versions first", () => {
  const versions = "foo10 v1alpha1 v2 v0 v11beta2 v1 v10 foo1 v3beta1 v12alpha1 v11alpha2".split(" ");
  expect(versions.sort(compareVersions).join(" ")).toBe(
    "v10 v2 v1 v0 v11beta2 v3beta1 v12alpha1 v11alpha2 v1alpha1 foo1 foo10",
  );
});
