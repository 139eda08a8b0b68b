import { expect, it } from "vitest";
import { goPlatform } from "../../../../src/apiserver/endpoints/meta-endpoints.ts";

it.each([
  ["linux", "x64", "linux/amd64"],
  ["darwin", "arm64", "darwin/arm64"],
  ["win32", "ia32", "windows/386"],
] as const)("names the platform %s %s as Go does", (platform, arch, name) => {
  expect(goPlatform({ platform, arch })).toBe(name);
});
