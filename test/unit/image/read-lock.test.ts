import { expect, it } from "vitest";
import { readLock } from "../../../src/image/bundled-packages.ts";

const integrity = "sha512-AAAA";

it("reads package-lock.json: nested, linked and renamed packages", () => {
  const packages = {
    "": { name: "own", version: "1.0.0" },
    "node_modules/@a/b": { version: "1.0.0", integrity, resolved: "https://registry.npmjs.org/@a/b/-/b-1.0.0.tgz" },
    "node_modules/@a/b/node_modules/c": { version: "2.0.0", resolved: "git+ssh://git@github.com/a/c.git#1" },
    "node_modules/alias": { name: "d", version: "3.0.0", integrity },
    "node_modules/linked": { resolved: "packages/linked", link: true },
    "packages/linked": { name: "linked", version: "4.0.0" },
  };
  const lock = readLock(JSON.stringify({ packages }), "npm");
  expect(lock.get("@a/b@1.0.0")).toEqual({ integrity, resolved: "https://registry.npmjs.org/@a/b/-/b-1.0.0.tgz" });
  expect(lock.get("c@2.0.0")).toEqual({});
  expect(lock.get("d@3.0.0")).toEqual({ integrity });
  expect(lock.get("linked@4.0.0")).toEqual({});
});

it("reads pnpm-lock.yaml", () => {
  const text = `lockfileVersion: '9.0'
packages:
  '@a/b@1.0.0':
    resolution: {integrity: ${integrity}}
  c@2.0.0(d@1.0.0):
    resolution: {integrity: ${integrity}}
  tsop@file:vendor/tsop-0.1.0.tgz:
    resolution: {integrity: ${integrity}, tarball: file:vendor/tsop-0.1.0.tgz}
    version: 0.1.0
`;
  expect([...readLock(text, "pnpm").keys()]).toEqual(["@a/b@1.0.0", "c@2.0.0", "tsop@0.1.0"]);
});

it("reads yarn.lock, which has no hashes of published archives", () => {
  const text = `__metadata:
  version: 8
"@a/b@npm:^1.0.0, @a/b@npm:^1.0.1":
  version: 1.0.2
  resolution: "@a/b@npm:1.0.2"
  checksum: 10/abc
"tsop@file:./vendor/tsop-0.1.0.tgz::locator=own%40workspace%3A.":
  version: 0.1.0
  resolution: "tsop@file:./vendor/tsop-0.1.0.tgz#./vendor/tsop-0.1.0.tgz::hash=1&locator=own%40workspace%3A."
`;
  expect([...readLock(text, "yarn")]).toEqual([
    ["@a/b@1.0.2", {}],
    ["tsop@0.1.0", {}],
  ]);
});

it.each(["npm", "pnpm", "yarn"] as const)("reads an absent lock file of %s as empty", (manager) => {
  expect(readLock("", manager).size).toBe(0);
});
