import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadBuiltins } from "../../../../src/apimachinery/builtin/load-builtins.ts";
import { kubernetesRelease, kubernetesVersion } from "../../../../src/apimachinery/kubernetes-version.ts";

it("has all types of the data file, although it parses them one by one", () => {
  const file = new URL(`../../../../src/apimachinery/builtin/kubernetes-${kubernetesRelease}.json`, import.meta.url);
  const { types, ...rest } = JSON.parse(readFileSync(file, "utf8")) as { types: object };
  const { type, typeNames, ...others } = loadBuiltins();
  expect(others).toEqual(rest);
  expect(Object.fromEntries(typeNames.map((name) => [name, type(name)]))).toEqual(types);
  expect(type("io.k8s.api.core.v1.Pod")).toBe(type("io.k8s.api.core.v1.Pod"));
  expect(type("io.k8s.api.core.v1.Nothing")).toBeUndefined();
});

it("has the version that tsop names", () => {
  expect(loadBuiltins().version).toBe(kubernetesVersion);
});
