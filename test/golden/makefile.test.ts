import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadAll } from "js-yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { findTool } from "./find-tool.ts";
import { filesBelow, goldenRoot, linkPackages } from "./scenarios.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

const bin = fileURLToPath(new URL("../../bin/tsop.js", import.meta.url));
const golden = join(goldenRoot, "minimal");
const targets = (
  "all help manifests generate fmt vet test test-e2e lint lint-fix lint-config build run docker-build docker-push " +
  "image docker-buildx build-installer install uninstall deploy undeploy bundle bundle-build bundle-push catalog-build " +
  "catalog-push setup-test-e2e cleanup-test-e2e kustomize"
).split(" ");

const kubectl = findTool("kubectl");
const hadolint = findTool("hadolint");

interface KubeObject {
  readonly kind: string;
}

describe("the Makefile", () => {
  const folder = temporaryFolder();
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

  it("has every target of Operator SDK, each with a line of help", () => {
    const help = make("help");
    expect(targets.filter((target) => target !== "all" && !new RegExp(`m${target}\\b`).test(help))).toEqual([]);
  });

  it.each(targets)("can run %s", (target) => {
    expect(make("-n", target).trim()).not.toBe("");
  });

  it.each([
    ["docker-push", "IMG=a.example.com/op:v1", "image build --push a.example.com/op:v1"],
    ["docker-build", "IMG=a.example.com/op:v1", "make docker-push"],
    ["bundle-push", "BUNDLE_IMG=a.example.com/b:v1", "bundle build --push a.example.com/b:v1"],
    [
      "catalog-push",
      "BUNDLE_IMG=a.example.com/b:v1,a.example.com/b:v2",
      "bundle catalog a.example.com/b:v1 a.example.com/b:v2 --push example.com/minimal-catalog:v0.0.1",
    ],
  ])("%s uses tsop if CONTAINER_TOOL says so, or is not installed", (target, variable, command) => {
    for (const tool of ["tsop", "an-absent-tool"])
      expect(make("-n", target, variable, `CONTAINER_TOOL=${tool}`)).toContain(command);
    expect(make("-n", target, variable, "CONTAINER_TOOL=sh")).toMatch(/^sh (build|push) /m);
  });

  it.each(["docker-build", "docker-buildx"])("%s builds with another image of Node", (target) => {
    const argument = "--build-arg BASE_IMAGE=registry.example.com/node:22";
    const variables = ["CONTAINER_TOOL=sh", "BASE_IMAGE=registry.example.com/node:22"];
    expect(make("-n", target, ...variables)).toContain(argument);
    expect(make("-n", target, "CONTAINER_TOOL=sh")).not.toContain("--build-arg");
    expect(readFileSync(join(golden, "Dockerfile"), "utf8")).toMatch(
      /^ARG BASE_IMAGE=node:.*\nFROM \$\{BASE_IMAGE\} /m,
    );
  });

  it("generates, formats, checks, lints and builds, and changes no file of a fresh project", () => {
    make("manifests", "generate", "fmt", "vet", "lint", "lint-fix", "lint-config", "build");
    const files = filesBelow(golden);
    const isBuilt = (path: string): boolean => path.startsWith("bin/") || path.startsWith("node_modules/");
    expect(filesBelow(folder).filter((path) => !isBuilt(path))).toEqual(files);
    for (const path of files)
      expect(readFileSync(join(folder, path), "utf8")).toBe(readFileSync(join(golden, path), "utf8"));
  });

  it("installs in a workspace, whose packages are above the project", () => {
    const workspace = temporaryFolder();
    const project = join(workspace, "operator");
    mkdirSync(project);
    cpSync(join(golden, "Makefile"), join(project, "Makefile"));
    writeFileSync(join(workspace, "package.json"), '{ "workspaces": ["operator"] }');
    writeFileSync(join(project, "package.json"), '{ "name": "operator" }');
    execFileSync("make", ["node_modules"], { cwd: project, stdio: "pipe" });
    expect(statSync(join(project, "node_modules")).isDirectory()).toBe(true);
  });

  it("starts the build: --help shows the flags, and a wrong flag or a missing cluster is reported without a stack", () => {
    const { KUBECONFIG: _, KUBERNETES_SERVICE_HOST: __, ...env } = process.env;
    const start = (...args: string[]): { code: number | null; out: string; err: string } => {
      const { status, stdout, stderr } = spawnSync("npm", ["start", "--silent", "--", ...args], {
        cwd: folder,
        encoding: "utf8",
        env: { ...env, HOME: join(folder, "bin") },
      });
      return { code: status, out: stdout, err: stderr };
    };
    rmSync(join(folder, "bin"), { recursive: true, force: true });
    const help = start("--help");
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining("\n  --leader-elect\n") as string });
    expect(help.err).not.toContain("    at ");
    const wrong = start("--nope");
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.err).toContain("error: --nope: unknown flag  [TSOP_FLAG_INVALID]\nhint: run with --help");
    expect(wrong.err).not.toContain("    at ");
    expect(start()).toEqual({
      code: 1,
      out: "",
      err:
        `error: no cluster is configured: no --kubeconfig, no KUBECONFIG, not inside a pod, and no ${folder}/bin/.kube/config  [TSOP_NO_CLUSTER]\n` +
        "hint: set KUBECONFIG or pass --kubeconfig; for the embedded server: npx tsop run --local, which writes .tsop/kubeconfig\n",
    });
  });

  describe.skipIf(!kubectl)("with kubectl (skipped without it on the PATH or in KUBEBUILDER_ASSETS)", () => {
    const tools = [`KUBECTL=${kubectl}`];

    it("writes the installer: the whole operator with its image, and changes no tracked file", () => {
      make("build-installer", "IMG=registry.example.com/op:v1", ...tools);
      const objects = loadAll(readFileSync(join(folder, "dist/install.yaml"), "utf8")) as KubeObject[];
      expect(objects.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(["Namespace", "Deployment", "ClusterRole"]),
      );
      const deployment = objects.find(({ kind }) => kind === "Deployment");
      expect(deployment).toMatchObject({
        metadata: { name: "minimal-controller-manager", namespace: "minimal-system" },
        spec: { template: { spec: { containers: [{ image: "registry.example.com/op:v1" }] } } },
      });
      for (const path of filesBelow(golden))
        expect(readFileSync(join(folder, path), "utf8"), path).toBe(readFileSync(join(golden, path), "utf8"));
    });

    it.each([
      ["op", "op:latest"],
      ["op:1.0", "op:1.0"],
      ["localhost:5000/team/op", "localhost:5000/team/op:latest"],
      ["localhost:5000/op:v1", "localhost:5000/op:v1"],
      [`registry.example.com/op@sha256:${"0".repeat(64)}`, `registry.example.com/op@sha256:${"0".repeat(64)}`],
    ])("sets the image %s", (image, written) => {
      make("build-installer", `IMG=${image}`, ...tools);
      const text = readFileSync(join(folder, "dist/install.yaml"), "utf8");
      expect(/^ +image: (.*)$/m.exec(text)?.[1]).toBe(written);
    });

    it("writes a valid bundle", () => {
      make("bundle", "IMG=registry.example.com/op:v1", "VERSION=0.1.0", "CHANNELS=stable", ...tools);
      expect(filesBelow(join(folder, "bundle"))).toEqual(
        expect.arrayContaining(["manifests/minimal.clusterserviceversion.yaml", "metadata/annotations.yaml"]),
      );
      const csv = readFileSync(join(folder, "bundle/manifests/minimal.clusterserviceversion.yaml"), "utf8");
      expect(csv).toContain("  name: minimal.v0.1.0\n");
      expect(csv).toContain("image: registry.example.com/op:v1\n");
    });
  });

  it.skipIf(!hadolint)("has a Dockerfile that passes hadolint (skipped without it on the PATH)", () => {
    execFileSync(hadolint, [join(folder, "Dockerfile")], { stdio: "pipe" });
  });

  it.each([
    [[], "kubectl kustomize bin/with-image | kubectl apply -f -"],
    [["KUBECTL=oc"], "oc kustomize bin/with-image | oc apply -f -"],
    [["KUSTOMIZE=/opt/kustomize"], "/opt/kustomize build bin/with-image | kubectl apply -f -"],
  ])("deploys with the programs that the user names: %j", (programs, step) => {
    expect(make("-n", "deploy", "IMG=registry.example.com/op:v1", ...programs)).toContain(`\n${step}\n`);
  });

  it.each(["run", "install", "uninstall", "deploy", "undeploy"])("names the cluster first that %s uses", (target) => {
    expect(make("-n", target)).toMatch(/^! command -v kubectl .* echo "Using the context /);
  });

  it.skipIf(!kubectl)("names the context of the kubeconfig", () => {
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, "apiVersion: v1\nkind: Config\ncurrent-context: prod\n");
    const name = (file: string): string => make("-s", "cluster", `KUBECTL=${kubectl} --kubeconfig=${file}`);
    expect(name(kubeconfig)).toBe("Using the context prod of your kubeconfig\n");
    expect(name("absent")).toBe("Using the context none of your kubeconfig\n");
  });

  it("creates a catalog of all bundles, and requires the older bundles for an existing base image", () => {
    const steps = make("-n", "catalog-build", "BUNDLE_IMGS=registry.example.com/op:v1,registry.example.com/op:v2");
    expect(steps).toContain("bundle catalog registry.example.com/op:v1 registry.example.com/op:v2\n");
    expect(steps).toContain("build -f catalog.Dockerfile -t example.com/minimal-catalog:v0.0.1 .\n");
    expect(() => make("-n", "catalog-build", "CATALOG_BASE_IMG=old")).toThrow(
      "name all bundles of the catalog in BUNDLE_IMGS",
    );
  });

  it.each(["bundle", "deploy", "install", "undeploy", "build-installer"])(
    "reports at once that %s needs kubectl",
    (target) => {
      const run = (): string => make(target, "KUBECTL=bin/kubectl");
      expect(run).toThrow(
        "bin/kubectl is not on the PATH: install kubectl (https://kubernetes.io/docs/tasks/tools), or",
      );
    },
  );

  it("downloads no program", () => {
    expect(readFileSync(join(folder, "Makefile"), "utf8")).not.toMatch(/\bcurl\b|\bwget\b|releases\/download/);
  });

  it("checks the types of the scaffolded test after the first edit of the kind, and runs it with the edited sample", () => {
    const edit = (path: string, from: string | RegExp, to: string): void =>
      writeFileSync(join(folder, path), readFileSync(join(folder, path), "utf8").replace(from, to));
    edit("api/v1alpha1/memcached_types.ts", "foo?: string;", "size: number;");
    edit("config/samples/cache_v1alpha1_memcached.yaml", "foo: bar", "size: 2");
    make("manifests", "generate", "vet");
    make("test");
    // A reconciler that does not use its second argument may keep it, as the test passes it.
    edit("controllers/memcached_controller.ts", /ctx\.log\.info\(.*\);/, "");
    make("lint", "vet");
  });
});
