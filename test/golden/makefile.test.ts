import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesBelow, goldenRoot, linkPackages } from "./scenarios.mjs";

const bin = fileURLToPath(new URL("../../bin/tsop.js", import.meta.url));
const golden = join(goldenRoot, "minimal");
const targets = (
  "all help manifests generate fmt vet test test-e2e lint lint-fix lint-config build run docker-build docker-push " +
  "docker-buildx build-installer install uninstall deploy undeploy bundle bundle-build bundle-push catalog-build " +
  "catalog-push setup-test-e2e cleanup-test-e2e kustomize"
).split(" ");

describe("the Makefile", () => {
  const folder = mkdtempSync(join(tmpdir(), "tsop-make-"));
  const make = (...args: string[]): string =>
    execFileSync("make", [...args, `TSOP=${process.execPath} ${bin}`], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
  beforeAll(() => {
    cpSync(golden, folder, { recursive: true });
    linkPackages(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("has every target that Operator SDK users know, each with its line of help", () => {
    const help = make("help");
    expect(targets.filter((target) => target !== "all" && !new RegExp(`m${target}\\b`).test(help))).toEqual([]);
  });

  it.each(targets)("knows what to do for %s", (target) => {
    expect(make("-n", target).trim()).not.toBe("");
  });

  it("generates, formats, checks, lints and builds for real, and changes no file of a fresh project", () => {
    make("manifests", "generate", "fmt", "vet", "lint", "lint-fix", "lint-config", "build");
    const files = filesBelow(golden);
    const built = (path: string): boolean => path.startsWith("bin/") || path.startsWith("node_modules/");
    expect(filesBelow(folder).filter((path) => !built(path))).toEqual(files);
    for (const path of files)
      expect(readFileSync(join(folder, path), "utf8")).toBe(readFileSync(join(golden, path), "utf8"));
  });

  it("gives the image to what it deploys without touching a tracked file", () => {
    const steps = make("-n", "deploy", "IMG=registry.example.com/op:v1", "KUSTOMIZE=kustomize");
    expect(steps).toContain("cd bin/with-image && kustomize edit set image controller=registry.example.com/op:v1");
    expect(steps).not.toContain("cd config");
  });

  it("makes a catalog of all bundles, and says so to those who add to an old one", () => {
    const steps = make("-n", "catalog-build", "BUNDLE_IMGS=registry.example.com/op:v1,registry.example.com/op:v2");
    expect(steps).toContain("bundle catalog registry.example.com/op:v1 registry.example.com/op:v2\n");
    expect(steps).toContain("build -f catalog.Dockerfile -t example.com/minimal-catalog:v0.0.1 .\n");
    expect(() => make("-n", "catalog-build", "CATALOG_BASE_IMG=old")).toThrow("name its older bundles in BUNDLE_IMGS");
  });

  it("says what to do without kustomize", () => {
    const bundle = (): string => make("bundle", "KUSTOMIZE=bin/kustomize", "KUSTOMIZE_URL=http://127.0.0.1:1/");
    expect(bundle).toThrow("kustomize is neither on the PATH nor can it be downloaded: install it");
  });
});
