import { cpSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkPackages, repository, run, temporaryFolder } from "./shell.ts";

describe("tsop roles", () => {
  const folder = temporaryFolder("roles");
  const project = join(folder.path, "memcached-operator");
  const controller = "controllers/memcached_controller.ts";
  const tsop = (...args: string[]) =>
    run(process.execPath, [join(repository, "bin/tsop.js"), ...args], { cwd: project });
  const check = () => tsop("check", "--only", "crash,deletion,refused", "--schedules", "0");
  const edit = async (file: string, from: RegExp, to: string) => {
    const text = await readFile(join(project, file), "utf8");
    expect(text).toMatch(from);
    await writeFile(join(project, file), text.replace(from, to));
  };

  beforeAll(() => {
    cpSync(join(repository, "examples/memcached-operator"), project, {
      recursive: true,
      filter: (path) => !/node_modules|\.tsop/.test(path),
    });
    linkPackages(project);
  });
  afterAll(() => folder.remove());

  it("needs a record", async () => {
    const { code, stderr } = await tsop("roles");
    expect(code, stderr).toBe(1);
    expect(stderr).toContain("TSOP_ROLES_NOT_RECORDED");
  });

  it("is silent about a role that fits", async () => {
    const { code, stderr } = await check();
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain("role:");
    const roles = await tsop("roles");
    expect(roles.code, roles.stdout + roles.stderr).toBe(0);
    expect(roles.stdout).toMatch(/^in \d+ runs: the role fits$/m);
    await rm(join(project, ".tsop/roles"), { recursive: true });
  });

  it("reports an unused verb, a missing one, a star, and Secrets without names", async () => {
    await edit(controller, /(resources=deployments,verbs=get;list;watch;create;)update/, "$1delete");
    await edit(controller, /resources=pods,verbs=get;list;watch/, "resources=pods,verbs=*");
    await edit(
      controller,
      /^(.*kubebuilder:rbac:groups=core,resources=pods.*)$/m,
      "$1\n  // +kubebuilder:rbac:groups=core,resources=secrets,verbs=get",
    );
    await edit(
      "main.ts",
      /^const image = /m,
      'await mgr.apiReader.getOrUndefined(Secret, { namespace: "default", name: "license" });\nconst image = ',
    );
    await edit(
      "main.ts",
      /^import \{ MemcachedReconciler/m,
      'import { Secret } from "tsop/k8s/core/v1";\nimport { MemcachedReconciler',
    );
    const { code, stderr } = await check();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("role: 1 verb never used, 1 missing, 2 wider than needed; tsop roles shows them\n");
    const roles = await tsop("roles");
    expect(roles.code, roles.stderr).toBe(2);
    expect(roles.stdout).toMatch(/^controllers\/memcached_controller\.ts:60: deployments of apps$/m);
    expect(roles.stdout).toMatch(/^ {2}delete deployments: never used in \d+ runs$/m);
    expect(roles.stdout).toContain(
      "missing: update deployments.apps, for PUT /apis/apps/v1/namespaces/default/deployments/memcached-sample",
    );
    expect(roles.stdout).toContain("// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=update\n");
    expect(roles.stdout).toContain("  wider than needed: verbs=*, and it needs pods get, list, watch\n");
    expect(roles.stdout).toContain("  wider than needed: all secrets, and only license was used\n");
    const { counts, missing } = JSON.parse((await tsop("roles", "--output", "json")).stdout) as {
      counts: object;
      missing: object[];
    };
    expect(counts).toEqual({ unused: 1, missing: 1, wider: 2 });
    expect(missing).toMatchObject([{ group: "apps", resource: "deployments", verbs: ["update"] }]);
  });

  it("changes the markers, so that the role fits", async () => {
    const { code, stdout, stderr } = await tsop("roles", "--fix");
    expect(code, stderr).toBe(0);
    const changed = stdout.split("\n").filter((line) => /^[-+] /.test(line));
    expect(changed).toEqual([
      "-  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;delete",
      "-  // +kubebuilder:rbac:groups=core,resources=pods,verbs=*",
      "-  // +kubebuilder:rbac:groups=core,resources=secrets,verbs=get",
      "+  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update",
      "+  // +kubebuilder:rbac:groups=core,resources=pods,verbs=get;list;watch",
      "+  // +kubebuilder:rbac:groups=core,resources=secrets,verbs=get,resourceNames=license",
    ]);
    expect(await readFile(join(project, "config/rbac/role.yaml"), "utf8")).toContain("- license");
    const roles = await tsop("roles");
    expect(roles.code, roles.stdout).toBe(0);
  });

  it("compares manifests as those of any operator", async () => {
    const fitting = await tsop("roles", "--apply", "config/rbac");
    expect(fitting.code, fitting.stdout).toBe(0);
    expect(fitting.stdout).toMatch(/^config\/rbac\/role\.yaml, document 1: deployments of apps$/m);
    const other = await tsop("roles", "--apply", "config/rbac", "--account", "system/other");
    expect(other.code).toBe(2);
    expect(other.stdout).toMatch(/^missing: .*watch.* pods, for GET \/api\/v1\/pods$/m);
    const nobody = await tsop("roles", "--apply", "config/samples");
    expect(nobody.code).toBe(1);
    expect(nobody.stderr).toContain("TSOP_ROLES_NO_ACCOUNT");
  });

  it("leaves a broken record alone, and takes no --fix for manifests", async () => {
    await writeFile(join(project, "broken.jsonl"), "{}\n");
    const { code, stderr } = await tsop("roles", "--from", "broken.jsonl");
    expect(code).toBe(1);
    expect(stderr).toContain("TSOP_ROLES_FILE_INVALID");
    expect((await tsop("roles", "--fix", "--apply", "config/rbac")).code).toBe(1);
  });
});
