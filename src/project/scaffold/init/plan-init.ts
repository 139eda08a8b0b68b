import { basename } from "node:path";
import { checkDns1123Label, checkDns1123Subdomain } from "../../../apimachinery/names.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import type { Disk } from "../../../files/disk.ts";
import type { Plan } from "../../../files/plan.ts";
import { formatProject } from "../../parse-project.ts";
import { layoutKey, type Project } from "../../project.ts";
import { checkPackagePath, checkPackageRange } from "../../value-rules.ts";
import { boilerplateFile, fileHeader } from "../../../files/file-header.ts";
import { boilerplate } from "./boilerplate.ts";
import type { InitFlags } from "./init-flags.ts";
import { nodeImage, nodeVersion } from "./node-image.ts";
import { packageManagerWords } from "./package-manager.ts";
import { checkOption } from "../api/resource-options.ts";
import { Draft } from "../draft/draft.ts";
import type { TemplateContext } from "../templates/render-templates.ts";

export interface InitOptions extends InitFlags {
  readonly root: string;
  /** The year of the licence header. */
  readonly year: number;
  /** The version of the tsop that creates the project. */
  readonly tsopVersion: string;
  /** The tsop dependency in the project's package.json: `^1.2.3`, `file:…`. */
  readonly tsopSpec: string;
  /** Recorded in package.json, so that other machines use the same version; absent if it is not installed yet. */
  readonly packageManagerVersion?: string | undefined;
}

/** Plans a new project. */
export async function planInit(options: InitOptions, disk: Disk): Promise<Plan> {
  const projectName = options.projectName ?? basename(options.root).toLowerCase();
  checkNames(projectName, options.domain);
  checkOption("--repo", options.repo, checkPackagePath);
  checkOption("--tsop", options.tsopSpec, checkPackageRange);
  const draft = new Draft(options.root, disk);
  if ((await draft.read("PROJECT")) !== undefined)
    throw new TsopError("TSOP_ALREADY_INITIALIZED", { root: options.root });

  const context = contextOf(options, projectName);
  const license = await boilerplate(options, disk);
  const header = fileHeader(license);
  const files = [
    ...(license === undefined ? [] : [{ path: boilerplateFile, text: license }]),
    ...(await draft.render("init", [options.packageManager], { ...context, header })),
    ...(await draft.render("init-scope", [options.namespaced ? "namespaced" : "cluster"], context)),
  ];
  for (const { path, text } of files) {
    if (path === ".gitignore") await ignoreFiles(draft, path, text);
    else draft.create(path, text, path === "README.md" ? "keep" : "fail");
  }
  draft.create("PROJECT", formatProject(projectOf(options, projectName)));
  return draft.plan();
}

/** Adds the missing lines to a .gitignore, with which many repositories begin. */
async function ignoreFiles(draft: Draft, path: string, text: string): Promise<void> {
  const before = await draft.read(path);
  if (before === undefined) return draft.create(path, text);
  const present = new Set(before.split(/\r?\n/));
  const missing = text.split("\n").filter((line) => line !== "" && !present.has(line));
  const end = before === "" || before.endsWith("\n") ? "" : "\n";
  if (missing.length > 0) await draft.change(path, (now) => `${now}${end}\n${missing.join("\n")}\n`);
}

/** The longest name that kustomize derives, `<name>-controller-manager-metrics-service`, must be a valid label, too. */
const longestProjectName = 28;

function checkNames(projectName: string, domain: string): void {
  const name = checkDns1123Label(projectName);
  if (name) throw new TsopError("TSOP_INVALID_PROJECT_NAME", { value: projectName, rule: name });
  if (projectName.length > longestProjectName) {
    const rule = `at most ${longestProjectName} characters, because names such as <name>-controller-manager-metrics-service contain it`;
    throw new TsopError("TSOP_INVALID_PROJECT_NAME", { value: projectName, rule });
  }
  const rule = checkDns1123Subdomain(domain);
  if (rule) throw new TsopError("TSOP_INVALID_DOMAIN", { value: domain, rule });
}

function contextOf(options: InitOptions, projectName: string): TemplateContext {
  return {
    projectName,
    namespaced: options.namespaced ?? false,
    tsopSpec: options.tsopSpec,
    nodeVersion,
    nodeImage,
    packageManager: options.packageManager,
    packageManagerVersion: options.packageManagerVersion ?? "",
    isNpm: options.packageManager === "npm",
    isYarn: options.packageManager === "yarn",
    ...packageManagerWords[options.packageManager],
    imageTagBase: `${options.domain}/${projectName}`,
    leaderElectionId: `${fnv32a(options.repo ?? projectName)}.${options.domain}`,
  };
}

function projectOf(options: InitOptions, projectName: string): Project {
  return {
    cliVersion: options.tsopVersion,
    domain: options.domain,
    layout: [layoutKey],
    ...(options.multigroup ? { multigroup: true } : {}),
    ...(options.namespaced ? { namespaced: true } : {}),
    plugins: { "manifests.sdk.operatorframework.io/v2": {}, "scorecard.sdk.operatorframework.io/v2": {} },
    projectName,
    repo: options.repo ?? projectName,
    version: "3",
  };
}

/** The 32-bit FNV-1a hash in hex, from which kubebuilder derives leader-election ids. */
function fnv32a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
