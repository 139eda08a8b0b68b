import { expect, it } from "vitest";
import { findKubernetesVersion, isSince, kubernetesVersions } from "../../../src/apimachinery/kubernetes-version.ts";
import { loadBuiltins } from "../../../src/apimachinery/builtin/load-builtins.ts";

it.each([
  ["1.36", "1.36.3"],
  ["1.37.x", "1.37.2"],
  ["v1.37.2", "1.37.2"],
  ["1.36.3!", "1.36.3"],
  ["1", "1.37.2"],
  ["1.36.2", undefined],
  ["1.35", undefined],
  ["1.36.3.1", undefined],
  ["", undefined],
])("%j means the recorded version %s", (wanted, version) => {
  expect(findKubernetesVersion(wanted)).toBe(version);
});

it("has the data of each version", () => {
  for (const version of kubernetesVersions) expect(loadBuiltins(version).version).toBe(version);
  const served = (version: string): boolean =>
    loadBuiltins(version).resources.some(({ plural }) => plural === "storageversionmigrations");
  expect(kubernetesVersions.map((version) => served(version))).toEqual(
    kubernetesVersions.map((version) => isSince(version, "1.37")),
  );
});

it("compares releases as numbers", () => {
  expect([isSince("1.37.2", "1.37"), isSince("1.36.3", "1.37"), isSince("1.100.0", "1.37")]).toEqual([
    true,
    false,
    true,
  ]);
});
