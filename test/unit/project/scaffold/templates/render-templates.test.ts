import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { realDisk } from "../../../../../src/files/real-disk.ts";
import type { Project, Resource } from "../../../../../src/project/project.ts";
import { apiContext } from "../../../../../src/project/scaffold/api/api-context.ts";
import { deployImageContext } from "../../../../../src/project/scaffold/api/deploy-image.ts";
import { packageManagerWords } from "../../../../../src/project/scaffold/init/package-manager.ts";
import { renderTemplates, type TemplateContext } from "../../../../../src/project/scaffold/templates/render-templates.ts";
import { spokeContext, webhookContext } from "../../../../../src/project/scaffold/webhook/webhook-context.ts";

const root = fileURLToPath(new URL("../../../../../templates", import.meta.url));
const project: Project = { version: "3", layout: [], projectName: "demo", domain: "example.com" };
const v1: Resource = {
  group: "cache",
  domain: "example.com",
  version: "v1",
  kind: "Memcached",
  api: { namespaced: true },
};
const v2: Resource = { ...v1, version: "v2" };
const image = { image: "memcached:1", containerCommand: "a,b", containerPort: 1, runAsUser: 2 };

const contexts: Record<string, TemplateContext> = {
  init: {
    projectName: "demo",
    namespaced: true,
    tsopSpec: "^1",
    nodeVersion: 24,
    nodeImage: "node:24",
    imageTagBase: "x",
    leaderElectionId: "y",
    header: "",
    packageManager: "npm",
    packageManagerVersion: "",
    isNpm: true,
    isYarn: false,
    ...packageManagerWords.npm,
  },
  "init-license": { year: 2026, owner: "Me" },
  "init-scope": { projectName: "demo" },
  "create-api": { ...apiContext(project, v1), ...deployImageContext(image) },
  "edit-workflows": { projectName: "demo", nodeVersion: 24, packageManager: "npm", ...packageManagerWords.npm },
  "edit-sharding": { projectName: "demo", ringResources: "", sharderRules: "" },
  "edit-helm": { name: "demo", description: "A chart" },
  "edit-helm-targets": { name: "demo", namespace: "demo-system", folder: "dist/chart" },
  "create-webhook": { ...webhookContext(project, v1, ""), ...spokeContext(project, v1, v2, "") },
};

describe("templates", () => {
  it("have one context each", () => {
    expect(Object.keys(contexts).toSorted()).toEqual(readdirSync(root).toSorted());
  });

  // Handlebars' strict mode does not notice a misspelt name in {{#if}}.
  it.each(Object.keys(contexts))("in %s use only names of the context", async (tree) => {
    const folder = join(root, tree);
    const parts = readdirSync(folder).flatMap((name) => (name.startsWith("+") ? name.slice(1) : []));
    const unknown: PropertyKey[] = [];
    const strict = new Proxy(contexts[tree]!, {
      get(target, name) {
        if (typeof name === "string" && !(name in target)) unknown.push(name);
        return Reflect.get(target, name) as unknown;
      },
    });
    const files = await renderTemplates(realDisk(), tree, parts, strict);
    expect(unknown).toEqual([]);
    // Helm's own actions begin with a blank or a dash.
    expect(files.filter(({ path, text }) => /__|\.hbs$/.test(path) || /\{\{(?![\s-])/.test(text))).toEqual([]);
  });

  it("reject an unknown token in a path, and an empty tree", async () => {
    const disk = { list: async () => ["__nobody__.ts"], read: async () => "" };
    await expect(renderTemplates(disk, "x", [], {})).rejects.toThrow("unknown token __nobody__");
    await expect(renderTemplates(realDisk(), "no-such-tree", [], {})).rejects.toThrow("nothing in no-such-tree");
  });

  it("contain no dotfile, which npm pack would omit", () => {
    const names = readdirSync(root, { recursive: true, encoding: "utf8" }).flatMap((path) => path.split("/"));
    expect(names.filter((name) => name.startsWith("."))).toEqual([]);
    expect(readFileSync(join(root, "init/dot-gitignore.hbs"), "utf8")).toContain("node_modules/");
  });
});
