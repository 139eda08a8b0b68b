import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import type { Disk } from "../files/disk.ts";
import { relativePath } from "../files/slashes.ts";
import type { OperatorCommand } from "../check/world/operator.ts";
import type { ServedWebhooks, Subject } from "../check/world/subject.ts";
import { samplesOf } from "../check/scenario/derive-scenario.ts";
import { foreignCrds } from "../codegen/foreign-crds.ts";
import { loadProjectTypes } from "../codegen/run-generators.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { isCrd } from "../client/manifests/install-crds.ts";
import { readManifests, readManifestsToApply, type Manifest } from "../client/manifests/read-manifests.ts";
import { isWebhookConfiguration } from "../sandbox/webhooks/route-webhooks.ts";
import type { WebhookEndpoint } from "../sandbox/webhooks/webhook-endpoint.ts";
import { foreignFolders, type Project } from "../project/project.ts";
import { loadProject } from "../project/load-project.ts";
import { loadEsbuild, operatorBuilder } from "./operator/build-operator.ts";
import { electsLeader, managerEnvironment } from "./operator/manager-environment.ts";
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
  /** The folders of other projects, whose operators run next to this one without faults. */
  readonly with?: readonly string[] | undefined;
  /** Variables of the operator's environment, in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A source whose custom resources may be at hand. */
export interface OpenedSource extends CheckedSource {
  /** The custom resources of a run that is repeated, in place of the samples; empty if they come from a cluster. */
  readonly objects?: readonly UnstructuredObject[] | undefined;
}

/** An operator that is ready to be checked. */
export interface CheckedOperator {
  /** The folder of the project; the working folder for a program. */
  readonly root: string;
  /** The bundle that its processes run; absent for a program. */
  readonly bundle: string | undefined;
  /** The other operators that run next to it. */
  readonly neighbours: readonly CheckedOperator[];
  readonly subject: Subject;
  readonly samples: readonly UnstructuredObject[];
  /** The variables that differ from the environment of the check. */
  readonly env: Readonly<Record<string, string>>;
  /** True if the operator has webhooks that are left out. */
  readonly webhooksLeftOut: boolean;
}

/** Where an operator is opened. */
export interface CheckedHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly disk: Disk;
}

/** Builds the operator of the project around the working folder, or takes the given program, and reads the samples. */
export async function openCheckedOperator(opener: CheckedHost, source: OpenedSource): Promise<CheckedOperator> {
  const host = { ...opener, env: { ...opener.env, ...source.env } };
  const given = divide(
    (await Promise.all((source.apply ?? []).map((path) => readManifestsToApply(resolve(host.cwd, path))))).flat(),
  );
  const { root, account, namespace, usual, commandAt, electing, servesWebhooks, foreign, ...own } =
    source.exec === undefined ? await buildOperator(host, source) : program(host, source.exec);
  const paths = (source.samples ?? [join(root, "config", "samples")]).map((path) => resolve(host.cwd, path));
  const samples = source.objects ?? (await readSamples(paths));
  const missing = foreign.filter(({ metadata }) => !given.crds.some((crd) => crd.metadata.name === metadata.name));
  // Users write the objects of these kinds; the operator writes the objects of other kinds, including built-in ones.
  const isSampled = (crd: UnstructuredObject): boolean => samplesOf(samples, [crd]).length > 0;
  const crds = [...own.crds, ...given.crds, ...missing.filter(isSampled)];
  const installed = missing
    .filter((crd) => !isSampled(crd))
    .map((object) => ({ file: "types of other projects", object }));
  const configurations = [...own.configurations, ...given.configurations];
  const needed = needsWebhooks({ crds, webhooks: configurations });
  const subject: Subject = {
    command: commandAt(),
    electing,
    crds,
    before: [...own.before, ...installed, ...given.before],
    account,
    namespace,
    webhooks: needed && servesWebhooks ? { configurations, commandAt } : undefined,
  };
  const neighbours: CheckedOperator[] = [];
  for (const folder of source.with ?? []) neighbours.push(await openNeighbour(opener, resolve(host.cwd, folder)));
  const kinds = new Set(crds.map(({ spec }) => (spec as { names: { kind: string } }).names.kind));
  if (source.objects?.length !== 0 && !samples.some(({ kind = "" }) => kinds.has(kind)))
    throw new TsopError("TSOP_CHECK_NO_SAMPLE", { path: paths.map((path) => relativePath(host.cwd, path)).join(", ") });
  return {
    root,
    bundle: own.bundle,
    subject: { ...subject, ...(neighbours.length > 0 && { neighbours: neighbours.map((each) => each.subject) }) },
    neighbours,
    samples,
    env: chosenIn(host, usual),
    webhooksLeftOut: needed && !servesWebhooks,
  };
}

/** Opens the operator of another project, with its samples and without its webhooks. */
async function openNeighbour({ env, disk }: CheckedHost, folder: string): Promise<CheckedOperator> {
  const opened = await openCheckedOperator({ cwd: folder, env: { ...env, ENABLE_WEBHOOKS: "false" }, disk }, {});
  const samples = opened.samples.map((object) => ({ file: `samples of ${folder}`, object }));
  return { ...opened, subject: { ...opened.subject, before: [...opened.subject.before, ...samples] } };
}

/** The variables that configure an operator, regardless of its manifests. */
const wellKnown = ["ENABLE_WEBHOOKS", "NODE_ENV", "WATCH_NAMESPACE"];

/** Returns the variables of an environment that differ from those that a check sets, or that are well known. */
function chosenIn({ env }: CheckedHost, usual: Readonly<Record<string, string>>): Record<string, string> {
  const names = new Set([...Object.keys(usual), ...wellKnown]);
  const chosen = [...names].map((name) => [name, env[name]] as const);
  return Object.fromEntries(chosen.filter(([name, value]) => value !== undefined && value !== usual[name])) as Record<
    string,
    string
  >;
}

interface Opened
  extends
    Pick<Subject, "electing" | "crds" | "before" | "account" | "namespace">,
    Pick<ServedWebhooks, "configurations"> {
  readonly root: string;
  readonly bundle: string | undefined;
  /** The variables that a check sets if the environment does not. */
  readonly usual: Readonly<Record<string, string>>;
  /** Returns how it is started: with webhooks at an endpoint, or without any. */
  readonly commandAt: (endpoint?: WebhookEndpoint) => OperatorCommand;
  readonly servesWebhooks: boolean;
  /** The CRDs of other projects' kinds whose types the project has. */
  readonly foreign: readonly UnstructuredObject[];
}

/** The environment in which a program finds the port and the certificate of its webhooks. */
const [portVariable, folderVariable] = ["TSOP_WEBHOOK_PORT", "TSOP_WEBHOOK_CERT_DIR"];

function program({ cwd, env }: CheckedHost, exec: string): Opened {
  const commandAt = (endpoint?: WebhookEndpoint): OperatorCommand => ({
    file: "/bin/sh",
    args: ["-c", `exec ${exec}`],
    cwd,
    env: endpoint ? { ...env, [portVariable]: String(endpoint.port), [folderVariable]: endpoint.certDir } : env,
  });
  const servesWebhooks = exec.includes(portVariable);
  const nothing = { electing: undefined, crds: [], before: [], configurations: [], foreign: [] };
  return { ...nothing, root: cwd, bundle: undefined, account: undefined, usual: {}, commandAt, servesWebhooks };
}

async function buildOperator({ cwd, env, disk }: CheckedHost, { rbac, args = [] }: CheckedSource): Promise<Opened> {
  const { root, project } = await loadProject(cwd, disk);
  const outfile = join(root, ".tsop", "check", "main.js");
  const builder = await operatorBuilder(await loadEsbuild(root), { root, outfile });
  try {
    await builder.build();
  } finally {
    await builder.close();
  }
  const { crds, webhooks: configurations } = await readProjectManifests(root);
  const account = rbac ? operatorAccount(project.projectName) : undefined;
  const main = await readFile(join(root, "main.ts"), "utf8");
  const usual = { NODE_ENV: "development", ...(await managerEnvironment(root, account?.namespace)) };
  const given: OperatorCommand["env"] = { ...usual, ...env };
  const commandWith = (args: readonly string[], endpoint?: WebhookEndpoint): OperatorCommand => ({
    file: process.execPath,
    args: ["--enable-source-maps", outfile, ...operatorArguments(main, args, { webhooks: endpoint })],
    cwd: root,
    env: endpoint ? given : { ...given, ENABLE_WEBHOOKS: "false" },
  });
  const commandAt = (endpoint?: WebhookEndpoint): OperatorCommand => commandWith(args, endpoint);
  const isElected = readsManagerFlags(main) && (await electsLeader(root));
  const electing = isElected ? commandWith(["--leader-elect", ...args]) : undefined;
  const servesWebhooks = given["ENABLE_WEBHOOKS"] !== "false" && readsManagerFlags(main);
  const before = account ? await readRoles(root, account) : [];
  // Its roles allow an operator of one namespace nothing elsewhere.
  const namespace = project.namespaced ? account?.namespace : undefined;
  const foreign = await loadForeignCrds(root, project, disk);
  const own = { crds, before, account, namespace, configurations };
  return { ...own, root, bundle: outfile, usual, commandAt, electing, servesWebhooks, foreign };
}

async function loadForeignCrds(root: string, project: Project, disk: Disk): Promise<UnstructuredObject[]> {
  const folders = foreignFolders(project);
  if (folders.length === 0) return [];
  const { kinds } = await loadProjectTypes({ root, disk, forCrds: false });
  return foreignCrds(kinds, folders);
}

/** Divides objects into CRDs, configurations of webhooks, and others. */
function divide(manifests: readonly Manifest[]): Pick<Opened, "crds" | "configurations" | "before"> {
  const objects = manifests.map(({ object }) => object);
  return {
    crds: objects.filter(isCrd),
    configurations: objects.filter(isWebhookConfiguration),
    before: manifests.filter(({ object }) => !isCrd(object) && !isWebhookConfiguration(object)),
  };
}

/** A file of kustomize, and not the Kustomization of Flux. */
function isKustomization({ apiVersion = "", kind }: UnstructuredObject): boolean {
  return kind === "Kustomization" && apiVersion.startsWith("kustomize.config.k8s.io/");
}

/** Reads the samples. Comments of scaffolded ones name the fields to fill in. Skips kustomizations. */
async function readSamples(paths: readonly string[]): Promise<UnstructuredObject[]> {
  const manifests = (await Promise.all(paths.map((path) => readManifests(path)))).flat();
  return manifests.map(({ object }) => object).filter((object) => !isKustomization(object));
}
