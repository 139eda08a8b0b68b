import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import type { Disk } from "../files/disk.ts";
import type { OperatorCommand } from "../check/world/operator-process.ts";
import type { Subject } from "../check/world/world.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { isCrd } from "../manifests/install-crds.ts";
import { readManifests, readManifestsToApply, type Manifest } from "../manifests/read-manifests.ts";
import type { WebhookEndpoint } from "../sandbox/webhooks/webhook-endpoint.ts";
import { loadProject } from "../project/load-project.ts";
import { loadEsbuild, operatorBuilder } from "./operator/build-operator.ts";
import { managerEnvironment } from "./operator/manager-environment.ts";
import { operatorArguments, readsManagerFlags } from "./operator/operator-arguments.ts";
import { operatorAccount, readRoles } from "./target/operator-roles.ts";
import { needsWebhooks, readProjectManifests } from "./target/project-manifests.ts";

export interface CheckedSource {
  /** A program in any language instead of the operator of the project. */
  readonly exec?: string | undefined;
  /** Files and folders of CRDs and other objects that exist before the operator starts. */
  readonly apply?: readonly string[] | undefined;
  /** Files and folders of custom resources; `config/samples` of the project by default. */
  readonly samples?: readonly string[] | undefined;
  /** Enforces the roles of the project. */
  readonly rbac?: boolean | undefined;
  /** Arguments for the operator of the project. */
  readonly args?: readonly string[] | undefined;
}

/** An operator that is ready to be checked. */
export interface CheckedOperator {
  /** The folder of the project; the working folder for a program. */
  readonly root: string;
  readonly subject: Subject;
  readonly samples: readonly UnstructuredObject[];
  /** True if the operator has webhooks that are left out. */
  readonly webhooksLeftOut: boolean;
}

interface Host {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly disk: Disk;
}

/** Builds the operator of the project around the working folder, or takes the given program, and reads the samples. */
export async function openCheckedOperator(host: Host, source: CheckedSource): Promise<CheckedOperator> {
  const given = divide(
    (await Promise.all((source.apply ?? []).map((path) => readManifestsToApply(resolve(host.cwd, path))))).flat(),
  );
  const opened = source.exec === undefined ? await buildOperator(host, source) : program(host, source.exec);
  const { crds, before, ...rest } = opened.subject;
  const subject = { ...rest, crds: [...crds, ...given.crds], before: [...before, ...given.before] };
  const paths = source.samples ?? [join(opened.root, "config", "samples")];
  const samples = await readSamples(
    host.cwd,
    paths.map((path) => resolve(host.cwd, path)),
    subject,
  );
  return { ...opened, subject, samples };
}

type Opened = Omit<CheckedOperator, "samples">;

function program({ cwd, env }: Host, exec: string): Opened {
  const command = { file: "/bin/sh", args: ["-c", `exec ${exec}`], cwd, env };
  return { root: cwd, subject: { command, crds: [], before: [] }, webhooksLeftOut: false };
}

async function buildOperator({ cwd, env, disk }: Host, { rbac, args = [] }: CheckedSource): Promise<Opened> {
  const { root, project } = await loadProject(cwd, disk);
  const outfile = join(root, ".tsop", "check", "main.js");
  const builder = await operatorBuilder(await loadEsbuild(root), { root, outfile });
  try {
    await builder.build();
  } finally {
    await builder.close();
  }
  const manifests = await readProjectManifests(root);
  const main = await readFile(join(root, "main.ts"), "utf8");
  const argumentsAt = (endpoint?: WebhookEndpoint): string[] => [
    "--enable-source-maps",
    outfile,
    ...operatorArguments(main, args, endpoint),
  ];
  const environment: OperatorCommand["env"] = { NODE_ENV: "development", ...(await managerEnvironment(root)), ...env };
  const webhooksLeftOut =
    needsWebhooks(manifests) && (environment["ENABLE_WEBHOOKS"] === "false" || !readsManagerFlags(main));
  const configurations = manifests.webhooks.map((object) => ({ file: "config/webhook/manifests.yaml", object }));
  const webhooks = needsWebhooks(manifests) && !webhooksLeftOut ? { configurations, argumentsAt } : undefined;
  const account = rbac ? operatorAccount(project.projectName) : undefined;
  const command = {
    file: process.execPath,
    args: argumentsAt(),
    cwd: root,
    env: { ...environment, ...(webhooksLeftOut && { ENABLE_WEBHOOKS: "false" }) },
  };
  const before = account ? await readRoles(root, account) : [];
  return { root, subject: { command, crds: manifests.crds, before, account, webhooks }, webhooksLeftOut };
}

/** Divides objects into CRDs and others. */
function divide(manifests: readonly Manifest[]): { crds: UnstructuredObject[]; before: Manifest[] } {
  const crds = manifests.filter(({ object }) => isCrd(object)).map(({ object }) => object);
  return { crds, before: manifests.filter(({ object }) => !isCrd(object)) };
}

/** Reads the samples. Comments of scaffolded ones say what to fill in; a kustomization is none. */
async function readSamples(cwd: string, paths: readonly string[], { crds }: Subject): Promise<UnstructuredObject[]> {
  const manifests = (await Promise.all(paths.map((path) => readManifests(path)))).flat();
  const objects = manifests.map(({ object }) => object).filter(({ kind }) => kind !== "Kustomization");
  const kinds = new Set(crds.map(({ spec }) => (spec as { names: { kind: string } }).names.kind));
  if (objects.some(({ kind = "" }) => kinds.has(kind))) return objects;
  throw new TsopError("TSOP_CHECK_NO_SAMPLE", { path: paths.map((path) => relative(cwd, path)).join(", ") });
}
