import { expect, it } from "vitest";
import { ImageFiles } from "../../../../src/olm/registry/pull-bundle.ts";

const whiteouts: readonly (readonly [files: string, whiteout: string, left: string])[] = [
  ["a b", ".wh.a", "b"],
  ["d/a d/b e/a", "d/.wh.a", "d/b e/a"],
  ["d/a d/e/b de", ".wh.d", "de"],
  ["d/a d/e/b de", "d/.wh..wh..opq", "de"],
  ["a d/a", ".wh..wh..opq", ""],
  ["a", "a/.wh.b", "a"],
  ["a", "none/.wh..wh..opq", "a"],
  ["d/__proto__ d/constructor", "d/.wh.__proto__", "d/constructor"],
];

it.each(whiteouts)("of %j, %s leaves %j", (files, whiteout, left) => {
  const image = new ImageFiles();
  for (const path of files.split(" ")) image.add(path, path);
  image.add(whiteout, "");
  image.applyWhiteout(whiteout);
  expect(image.list()).toEqual(
    left
      .split(" ")
      .filter(Boolean)
      .map((path) => [path, path]),
  );
});

it("replaces a folder by a file, and a file by a folder", () => {
  const image = new ImageFiles();
  for (const path of ["a/b", "c", "a", "c/d"]) image.add(path, path);
  expect(image.list()).toEqual([
    ["a", "a"],
    ["c/d", "c/d"],
  ]);
});

it("deletes any number of files", () => {
  const image = new ImageFiles();
  const count = 60_000;
  for (let at = 0; at < count; at++) image.add(`folder/${at}`, "");
  // To look at all files for each of these would take minutes.
  for (let at = 0; at < count; at++) image.applyWhiteout(`folder/.wh.${at}`);
  expect(image.list()).toEqual([]);
});
