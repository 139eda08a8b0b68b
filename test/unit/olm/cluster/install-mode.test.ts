import { describe, expect, it } from "vitest";
import type { CsvObject } from "../../../../src/client/manifests/olm-kinds.ts";
import { parseInstallMode, targetNamespaces } from "../../../../src/olm/cluster/install-mode.ts";

const csv = (...modes: string[]): CsvObject => ({
  metadata: { name: "a.v1.0.0" },
  spec: { installModes: modes.map((type) => ({ type, supported: true })) },
});

describe("install modes", () => {
  it.each([
    ["AllNamespaces", []],
    ["OwnNamespace", []],
    ["SingleNamespace=a", ["a"]],
    ["MultiNamespace=b,a", ["a", "b"]],
  ])("parses %s", (text, namespaces) => {
    expect(parseInstallMode(text)).toEqual({ type: text.replace(/=.*/, ""), namespaces });
  });

  it.each([
    "Other",
    "AllNamespaces=a",
    "SingleNamespace",
    "SingleNamespace=a,b",
    "MultiNamespace",
    "MultiNamespace=A_",
  ])("rejects %s", (text) => expect(() => parseInstallMode(text)).toThrow(/--install-mode/));

  it.each([
    [["AllNamespaces", "OwnNamespace"], undefined, []],
    [["OwnNamespace"], undefined, ["own"]],
    [["OwnNamespace"], "OwnNamespace", ["own"]],
    [["MultiNamespace"], "MultiNamespace=a,b", ["a", "b"]],
  ])("a CSV for %j with the flag %s watches %j", (modes, flag, targets) => {
    const mode = flag === undefined ? undefined : parseInstallMode(flag);
    expect(targetNamespaces(csv(...modes), "own", mode)).toEqual(targets);
  });

  it("requires the flag if the operator needs its namespaces", () => {
    expect(() => targetNamespaces(csv("SingleNamespace"), "own", undefined)).toThrow(/supported: SingleNamespace/);
    expect(() => targetNamespaces(csv("SingleNamespace"), "own", parseInstallMode("SingleNamespace=own"))).toThrow(
      /OwnNamespace/,
    );
  });
});
