import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import type { Disk } from "../files/disk.ts";
import type { Manifest } from "../manifests/read-manifests.ts";
import { loadProject } from "../project/load-project.ts";
import { loadEsbuild, operatorBuilder } from "./operator/build-operator.ts";
import { managerEnvironment } from "./operator/manager-environment.ts";
import { operatorArguments } from "./operator/operator-arguments.ts";
import { operatorAccount, readRoles, type OperatorAccount } from "./target/operator-roles.ts";
import { needsWebhooks, readProjectManifests } from "./target/project-manifests.ts";

/** The operator of a project, ready to be started by others. */
export interface CheckedOperator {
  readonly root: string;
  readonly command: {
    readonly file: string;
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
  };
  readonly crds: readonly UnstructuredObject[];
  /** Its namespace and roles, if they are to be enforced. */
  readonly before: readonly Manifest[];
  readonly account: OperatorAccount | undefined;
  /** True if the operator has webhooks, which are left out. */
  readonly webhooksLeftOut: boolean;
}

/** Builds the operator of the project around a folder. */
export async function buildCheckedOperator(
  { cwd, env, disk }: { cwd: string; env: Readonly<Record<string, string | undefined>>; disk: Disk },
  { rbac, args }: { rbac: boolean; args: readonly string[] },
): Promise<CheckedOperator> {
  const { root, project } = await loadProject(cwd, disk);
  const outfile = join(root, ".tsop", "check", "main.js");
  const builder = await operatorBuilder(await loadEsbuild(root), { root, outfile });
  try {
    await builder.build();
  } finally {
    await builder.close();
  }
  const manifests = await readProjectManifests(root);
  const webhooksLeftOut = needsWebhooks(manifests);
  const account = rbac ? operatorAccount(project.projectName) : undefined;
  const main = await readFile(join(root, "main.ts"), "utf8");
  return {
    root,
    command: {
      file: process.execPath,
      args: ["--enable-source-maps", outfile, ...operatorArguments(main, args)],
      cwd: root,
      env: {
        NODE_ENV: "development",
        ...(await managerEnvironment(root)),
        ...(webhooksLeftOut && { ENABLE_WEBHOOKS: "false" }),
        ...env,
      },
    },
    crds: manifests.crds,
    before: account ? await readRoles(root, account) : [],
    account,
    webhooksLeftOut,
  };
}
