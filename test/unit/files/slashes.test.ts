import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { isBelow, relativePath, withSlashes } from "../../../src/files/slashes.ts";

describe("withSlashes", () => {
  it("keeps a backslash that is part of a name", () => {
    expect(withSlashes("a/b\\c", posix)).toBe("a/b\\c");
    expect(withSlashes("C:\\a\\b/c", win32)).toBe("C:/a/b/c");
  });
});

describe("relativePath", () => {
  it.each([
    [posix, "/p", "/p/config/crd", "config/crd"],
    [posix, "/p/api", "/p/config", "../config"],
    [win32, "C:\\p", "C:\\p\\config\\crd", "config/crd"],
    [win32, "C:\\p\\api", "c:\\P\\config", "../config"],
    [win32, "C:\\p", "D:\\crds", "D:/crds"],
    [win32, "C:\\p", "C:\\p", ""],
  ])("%#: from %s", (paths, folder, file, way) => {
    expect(relativePath(folder, file, paths)).toBe(way);
  });
});

describe("isBelow", () => {
  it.each([
    [posix, "/p", "/p", true],
    [posix, "/p", "/p/..a", true],
    [posix, "/p", "/pa", false],
    [posix, "/", "/p", true],
    [win32, "C:\\p", "C:\\p\\a", true],
    [win32, "C:\\p", "C:/p/a", true],
    [win32, "C:\\p", "C:\\pa", false],
    [win32, "C:\\p", "C:\\", false],
    [win32, "C:\\p", "D:\\p\\a", false],
    [win32, "C:\\p", "\\\\server\\share\\a", false],
  ])("%#: %s", (paths, folder, path, expected) => {
    expect(isBelow(folder, path, paths)).toBe(expected);
  });
});
