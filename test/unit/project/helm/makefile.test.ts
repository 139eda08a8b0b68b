import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { realDisk } from "../../../../src/files/real-disk.ts";
import { renderTemplates } from "../../../../src/project/scaffold/templates/render-templates.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

describe("the targets of the Makefile", () => {
  const folder = temporaryFolder();
  const make = (...args: string[]): string =>
    execFileSync("make", ["-n", ...args], { cwd: folder, encoding: "utf8" }).replaceAll(/\s*\\\n\s*/g, " ");
  beforeAll(async () => {
    const context = { name: "shop", namespace: "shop-system", folder: "dist/chart" };
    const [targets] = await renderTemplates(realDisk(), "edit-helm-targets", [], context);
    const others = "IMG ?= controller:latest\nTSOP ?= tsop\nbuild-installer:\n\t@echo built\ncluster:\n\t@echo named\n";
    writeFileSync(join(folder, "Makefile"), others + targets!.text);
  });

  it.each([
    ["controller:latest", "controller", "latest"],
    ["example.com/team/shop", "example.com/team/shop", ""],
    ["localhost:5000/shop", "localhost:5000/shop", ""],
    ["localhost:5000/shop:v1", "localhost:5000/shop", "v1"],
  ])("split the image %s", (image, repository, tag) => {
    const values = `repository=${repository} --set-string manager.image.tag=${tag} --set-string manager.image.digest= `;
    expect(make("helm-deploy", `IMG=${image}`)).toContain(`--set-string manager.image.${values}`);
  });

  it("build the manifests, then write the chart into its folder", () => {
    const command = "tsop edit --plugins helm --manifests dist/install.yaml --output-dir dist/";
    expect(make("helm-chart").trim()).toBe(`echo built\n${command}`);
  });

  it.each([
    ["helm-lint", "helm lint --strict dist/chart"],
    ["helm-status", "helm status shop --namespace shop-system"],
    ["helm-history", "helm history shop --namespace shop-system"],
  ])("%s runs helm", (target, command) => {
    expect(make(target).trim()).toBe(command);
  });

  it.each([
    ["helm-deploy", "helm upgrade --install shop dist/chart --namespace shop-system "],
    ["helm-uninstall", "helm uninstall shop --namespace shop-system"],
    ["helm-rollback", "helm rollback shop --namespace shop-system"],
  ])("%s names the cluster before it changes it", (target, command) => {
    expect(make(target).startsWith(`echo named\n${command}`)).toBe(true);
  });
});
