import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CustomResourceDefinition } from "../../src/client/manifests/install-crds.ts";
import { startSandbox, type Sandbox } from "../../src/sandbox/start-sandbox.ts";
import { writeTsop } from "../golden/write-tsop.mjs";
import { runWorkflow, type WorkflowResult } from "./run-workflow.ts";
import { findProgram, linkPackages, mustRun, repository, temporaryFolder } from "./shell.ts";

const missing = ["git", "make"].filter((name) => !findProgram(name)).map((name) => ` (${name} is not installed)`);

/** The steps of the workflows, in a project with a repository it was cloned from. Nobody calls GitHub. */
describe.skipIf(missing.length > 0)(`workflows of a project${missing.join("")}`, () => {
  const folder = temporaryFolder("workflows");
  const project = join(folder.path, "memcached-operator");
  const newer = join(folder.path, "newer");
  const stopping = new AbortController();
  let cluster: Sandbox;
  const identity = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  const git = (...args: string[]) => mustRun("git", args, { cwd: project, env: identity });
  const tsop = (...args: string[]) =>
    mustRun(process.execPath, [join(repository, "bin/tsop.js"), ...args], { cwd: project });
  const edit = (file: string, from: string, to: string) => {
    const text = readFileSync(join(project, file), "utf8");
    expect(text).toContain(from);
    writeFileSync(join(project, file), text.replace(from, to));
  };
  const said = join(folder.path, "gh.txt");
  const programs = {
    // The registry has no tsop of this checkout, and the packages are linked. Others test that a check finds bugs.
    npx: `if [ "$*" = "--no-install tsop image build --output docker:$RUNNER_TEMP/image.tar --tag $IMG" ]; then exit 0; fi
if [ "$3" = check ]; then set -- "$@" --only upgrade; fi
if [ "$2" = tsop@latest ]; then exec node "${newer}/bin/tsop.js" "\${@:3}"; fi; exec "${findProgram("npx")}" "$@"`,
    kind: "exit 0",
    ...Object.fromEntries(["helm", "kubectl"].map((name) => [name, `exec "${findProgram(name)}" "$@"`])),
    npm: `if [ "$1" = install ]; then exit 0; fi; exec "${findProgram("npm")}" "$@"`,
    gh: `echo "gh $*" >> "${said}"
if [ "$2" = list ]; then echo 0; fi
while [ $# -gt 0 ]; do if [ "$1" = --body-file ]; then cat "$2" >> "${said}"; fi; shift; done`,
  };
  const workflow = async (name: string, job: string, kubeconfig = ""): Promise<WorkflowResult & { said: string }> => {
    writeFileSync(said, "");
    const expressions = {
      "github.token": "token",
      "github.event.pull_request.number": "7",
      "secrets.KUBECONFIG_PLAN": kubeconfig,
    };
    writeFileSync(join(folder.path, "kubeconfig"), cluster.kubeconfig);
    const env = { GITHUB_BASE_REF: "main", KUBECONFIG: join(folder.path, "kubeconfig") };
    const runner = {
      project,
      folder: join(folder.path, `${name}-${Date.now()}`),
      programs,
      expressions,
      env,
    };
    const result = await runWorkflow(`.github/workflows/${name}.yml`, job, runner);
    return { ...result, said: readFileSync(said, "utf8") };
  };

  beforeAll(async () => {
    writeTsop(newer, "0.2.0", [["CONTAINER_TOOL ?= docker", "CONTAINER_TOOL ?= podman"]]);
    await mustRun("git", ["init", "--quiet", "--bare", "--initial-branch", "main", join(folder.path, "origin")], {
      cwd: folder.path,
    });
    await mustRun("git", ["clone", "--quiet", join(folder.path, "origin"), project], { cwd: folder.path });
    await tsop("init", "--domain", "example.com", "--skip-install");
    linkPackages(project);
    await tsop("create", "api", "--group", "cache", "--kind", "Memcached", "--image", "memcached:1.6-alpine");
    await tsop("edit", "--plugins", "pull-request,autoupdate");
    await git("add", ".");
    await git("commit", "--quiet", "--message", "The first version");
    await git("push", "--quiet", "origin", "HEAD:main");
    await git("fetch", "--quiet");
    cluster = await startSandbox({ pace: { min: 0, max: 5 } }, stopping.signal);
  });
  afterAll(async () => {
    stopping.abort();
    await cluster.done;
    folder.remove();
  });

  it("reports what a pull request changes, and fails if it is not safe", async () => {
    edit("api/v1alpha1/memcached_types.ts", "Minimum=0", "Minimum=1");
    await tsop("generate", "manifests");
    const { failed, log, said: comment } = await workflow("pull-request", "report", cluster.kubeconfig);
    expect(failed, log).toBe("Verdict");
    expect(comment).toMatch(/^gh pr comment 7 /);
    expect(comment).toContain("spec.size");
    expect(comment).toMatch(/### Check\n\n```text\n[^]*minimum 0 → 1/);
    expect(comment).toMatch(/### Roles\n\n```text\n[^]*memcacheds of cache\.example\.com/);
    expect(comment).toMatch(/### Plan\n\n[^]*\d+ to create/);
    await git("checkout", "--quiet", ".");
  });

  it("passes a pull request that changes nothing, without a cluster", async () => {
    const { failed, log } = await workflow("pull-request", "report");
    expect(failed, log).toBeUndefined();
  });

  it("opens a pull request with the newer templates and what the tests say", async () => {
    const { failed, log, said: calls } = await workflow("autoupdate", "update");
    expect(failed, log).toBeUndefined();
    expect(calls).toContain("gh pr create --head tsop-update --title Update tsop");
    expect(calls, log).not.toContain("does not pass");
    expect(calls).toMatch(/### test\n\n```text\n[^]*no finding/);
    expect(await git("show", "origin/tsop-update:Makefile")).toContain("CONTAINER_TOOL ?= podman");
    await git("checkout", "--quiet", "-B", "main", "origin/main");
  });

  it("opens a pull request with the conflicts for a reviewer", async () => {
    edit("Makefile", "CONTAINER_TOOL ?= docker", "CONTAINER_TOOL ?= nerdctl");
    await git("commit", "--quiet", "--all", "--message", "Another tool");
    const { failed, log, said: calls } = await workflow("autoupdate", "update");
    expect(failed, log).toBeUndefined();
    expect(calls).toMatch(/### update\n\n```text\n[^]*Makefile/);
    expect(calls).not.toContain("### test");
    expect(await git("show", "origin/tsop-update:Makefile")).toContain("<<<<<<< yours\nCONTAINER_TOOL ?= nerdctl");
  });

  const tools = ["helm", "kubectl"].filter((name) => !findProgram(name)).map((name) => ` (${name} is not installed)`);
  it.skipIf(tools.length > 0)(`installs, upgrades and uninstalls the chart${tools.join("")}`, async () => {
    await git("reset", "--quiet", "--hard", "origin/main");
    const manifests = await mustRun(findProgram("kubectl")!, ["kustomize", "config/default"], { cwd: project });
    writeFileSync(join(folder.path, "manifests.yaml"), manifests);
    await tsop("edit", "--plugins", "helm,test-chart", "--manifests", join(folder.path, "manifests.yaml"));
    const { failed, log } = await workflow("test-chart", "test-chart", cluster.kubeconfig);
    expect(failed, log).toBeUndefined();
    expect(log).toContain("STATUS: deployed");
    expect(log).toContain("REVISION: 2");

    await tsop("edit", "--plugins", "helm", "--crd-chart", "--manifests", join(folder.path, "manifests.yaml"));
    const helm = (...args: string[]) =>
      mustRun(findProgram("helm")!, args, { cwd: project, env: { KUBECONFIG: join(folder.path, "kubeconfig") } });
    await helm("lint", "--strict", "dist/crd-chart");
    // The CRDs of the other release have stayed, and belong to nobody.
    await mustRun(
      findProgram("kubectl")!,
      ["delete", "crd", "--all", "--kubeconfig", join(folder.path, "kubeconfig")],
      { cwd: project },
    );
    await helm("install", "crds", "dist/crd-chart");
    await helm("install", "operator", "dist/chart", "--set", "crd.enabled=false,manager.enabled=false");
    const crd = await cluster.client.get(CustomResourceDefinition, { name: "memcacheds.cache.example.com" });
    expect(crd.metadata.annotations).toMatchObject({
      "meta.helm.sh/release-name": "crds",
      "helm.sh/resource-policy": "keep",
    });
  });
});
