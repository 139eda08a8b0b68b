import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, loadAll } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestEnvironment } from "../../src/testing/test-environment.ts";
import { findTool } from "./find-tool.ts";
import { scenarios } from "./scenarios.mjs";
import { writeProject } from "./stored-projects.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: { readonly template?: { readonly metadata: object; readonly spec: object } };
}

/** Lines of config/default that a user enables by removing the comment sign. */
const variants: Record<string, readonly string[]> = {
  minimal: ["../prometheus", "../network-policy"],
  namespaced: ["../prometheus"],
  webhooks: ["../prometheus", "../network-policy", "path: cert_metrics_manager_patch.yaml"],
};
/** Kinds of cert-manager, the Prometheus operator and OLM, which are not installed on this server. */
const absent = /^(cert-manager\.io|monitoring\.coreos\.com|operators\.coreos\.com|scorecard\.operatorframework\.io)\//;

const assets = process.env["KUBEBUILDER_ASSETS"];
const kubectlPath = findTool("kubectl");

describe.skipIf(!assets || !kubectlPath)(
  "a real API server (skipped without KUBEBUILDER_ASSETS and kubectl) accepts, under restricted pod security,",
  () => {
    const env = new TestEnvironment();
    const folder = temporaryFolder();
    beforeAll(async () => {
      await env.start();
      writeFileSync(join(folder, "kubeconfig"), env.kubeconfig);
    });
    afterAll(async () => {
      await env.stop();
    });

    /** Fails on warnings too: about pod security, deprecated or unknown fields. */
    const kubectl = (objects: readonly object[], ...args: string[]): void => {
      const input = objects.map((object) => dump(object)).join("---\n");
      const command = [...args, `--kubeconfig=${join(folder, "kubeconfig")}`, "-f", "-"];
      const { status, stderr } = spawnSync(kubectlPath, command, { input, encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    };
    const build = (path: string): KubeObject[] => {
      const text = execFileSync(kubectlPath, ["kustomize", path], { encoding: "utf8", stdio: "pipe" });
      return (loadAll(text) as (KubeObject | null)[]).filter((object) => object !== null);
    };
    const tryOut = (objects: readonly KubeObject[]): void => {
      const known = objects.filter(({ apiVersion }) => !absent.test(apiVersion));
      kubectl(known, "apply", "--dry-run=server", "--validate=strict");
      for (const { metadata, spec } of objects.filter(({ kind }) => kind === "Deployment")) {
        const name = { name: metadata.name, namespace: metadata.namespace };
        const pod = {
          apiVersion: "v1",
          kind: "Pod",
          ...spec!.template,
          metadata: { ...spec!.template!.metadata, ...name },
        };
        kubectl([pod], "create", "--dry-run=server");
      }
    };

    describe.each(scenarios)("%s:", (scenario: string) => {
      const project = join(folder, scenario);
      let crds: object[] = [];
      beforeAll(() => {
        writeProject(scenario, project);
        const bases = join(project, "config/crd/bases");
        const level = {
          "pod-security.kubernetes.io/enforce": "restricted",
          "pod-security.kubernetes.io/warn": "restricted",
        };
        const [namespace] = build(join(project, "config/default")).filter(({ kind }) => kind === "Namespace");
        kubectl([{ ...namespace, metadata: { ...namespace.metadata, labels: level } }], "apply");
        // Samples need their kinds; the CRDs have no conversion, because no webhook runs.
        if (existsSync(bases)) {
          crds = readdirSync(bases).flatMap((file) => loadAll(readFileSync(join(bases, file), "utf8")) as object[]);
          kubectl(crds, "apply");
        }
      });
      // The next project may have the same kind in other versions.
      afterAll(() => {
        if (crds.length > 0) kubectl(crds, "delete", "--wait");
      });

      it("config/default", () => tryOut(build(join(project, "config/default"))));

      it("config/crd", () => {
        if (existsSync(join(project, "config/crd"))) tryOut(build(join(project, "config/crd")));
      });

      it("config/samples", () => {
        if (existsSync(join(project, "config/samples"))) tryOut(build(join(project, "config/samples")));
      });

      it.skipIf(!variants[scenario])("config/default with every option enabled", () => {
        const file = join(project, "config/default/kustomization.yaml");
        const before = readFileSync(file, "utf8");
        const after = variants[scenario].reduce(switchOn, before);
        writeFileSync(file, after);
        const objects = build(join(project, "config/default"));
        writeFileSync(file, before);
        expect(objects.length).toBeGreaterThan(build(join(project, "config/default")).length);
        tryOut(objects);
      });
    });
  },
);

/** Removes the comment sign from a line and from the lines below that belong to it. */
function switchOn(text: string, entry: string): string {
  const lines = text.split("\n");
  const at = lines.indexOf(`#- ${entry}`);
  if (at < 0) throw new Error(`config/default/kustomization.yaml has no line "#- ${entry}"`);
  for (let line = at; line === at || lines[line].startsWith("#  "); line++) lines[line] = lines[line].slice(1);
  return lines.join("\n");
}
