import { checkDns1123Subdomain, checkKindName } from "../../apimachinery/names.ts";
import { UsageError } from "../../errors/tsop-error.ts";
import { qualifiedGroup, findResource, type Project } from "../../project/project.ts";
import type { ApiFlags } from "../../project/scaffold/api/api-flags.ts";
import { checkApiOptions, type ApiOptions } from "../../project/scaffold/api/api-options.ts";
import type { ResourceOptions } from "../../project/scaffold/api/resource-options.ts";
import { hasController } from "../../project/scaffold/api/controllers.ts";
import { isBuiltinGroup } from "../../project/scaffold/api/builtin-kinds.ts";
import { apiExists } from "../../project/scaffold/api/plan-api.ts";
import { checkDeployImage, type DeployImage } from "../../project/scaffold/api/deploy-image.ts";
import { parsePlugins } from "../flags/go-words.ts";
import type { Io } from "../io.ts";
import { askKind } from "./ask-kind.ts";

type NamedFlags = ApiFlags & ResourceOptions;

export interface CompletedOptions {
  readonly options: ApiOptions;
  /** The flags that would have answered the questions. */
  readonly answers: readonly string[];
}

/** Completes the flags: from the project, else from the user's answers, else with yes. Checks the names before it asks. */
export async function completeApiOptions(
  io: Pick<Io, "isTTY" | "prompt">,
  project: Project,
  given: ApiFlags,
): Promise<CompletedOptions> {
  const deployImage = deployImageOf(given);
  checkSsa(given);
  const kind = await askKind(io, given.kind, checkKindName);
  const flags = { ...given, kind, group: given.group ?? (await askGroup(io, project)) };
  const isForeign = flags.externalApiPath !== undefined || flags.controllerName !== undefined;
  // A kind that nobody else defines can only be a new one.
  const isNew = !isForeign && !findResource(project, flags) && !isBuiltinGroup(flags.group);
  checkApiOptions(project, { ...flags, resource: given.resource ?? isNew });
  const answers: string[] = [];
  const ask = async (message: string, flag: string): Promise<boolean> => {
    if (!io.isTTY) return true; // no terminal to ask on
    const answer = await io.prompt.confirm({ message, flag, initial: true });
    answers.push(`${flag}=${answer}`);
    return answer;
  };
  const known = flags.force ? undefined : findResource(project, flags);
  const isKnown = known?.api !== undefined;
  // Only a controller may be missing; that there is none is worth no question.
  if (isKnown && flags.resource === undefined && !isForeign && hasController(project, flags)) throw apiExists(known);
  const isComplete = deployImage !== undefined || flags.ssa === true;
  const impliedResource = isComplete
    ? true
    : isForeign || (isKnown && (flags.controller ?? io.isTTY))
      ? false
      : undefined;
  const resource = flags.resource ?? impliedResource ?? (await ask("Create the resource (types, CRD)?", "--resource"));
  const controller =
    flags.controller ??
    impliedController(project, flags, resource) ??
    (await ask("Create the controller?", "--controller"));
  const options = { ...flags, resource, controller, deployImage };
  return { options, answers };
}

/** Offers the group of the project's kinds. */
async function askGroup({ isTTY, prompt }: Pick<Io, "isTTY" | "prompt">, project: Project): Promise<string> {
  if (!isTTY) return "";
  const { domain = "", resources } = project;
  const initial = resources?.find(({ api }) => api)?.group;
  const message = `API group, without .${domain} (empty: none):`;
  const check = (group: string): string | undefined => checkDns1123Subdomain(qualifiedGroup({ group, domain }));
  return prompt.input({ message, flag: "--group", check, ...(initial === undefined ? {} : { initial }) });
}

/** One controller serves all versions of a kind. */
function impliedController(project: Project, flags: NamedFlags, resource: boolean): boolean | undefined {
  if (flags.controllerName !== undefined || flags.image !== undefined || flags.ssa) return true;
  return resource && !flags.force && hasController(project, flags) ? false : undefined;
}

/** Refuses what leaves no types or no controller to write for `--ssa`. */
function checkSsa({ ssa, resource, controller, image }: ApiFlags): void {
  if (!ssa) return;
  if (controller === false) throw new UsageError("--ssa writes a controller: omit --controller=false, or omit --ssa");
  if (resource === false)
    throw new UsageError(
      "--ssa writes the types and the controller of a new kind: omit --resource=false, or omit --ssa",
    );
  if (image !== undefined)
    throw new UsageError("--ssa can't be used with --image: each writes a controller of its own");
}

function deployImageOf(flags: ApiFlags): DeployImage | undefined {
  const wantsImage = parsePlugins(flags.plugins).some((key) => key.startsWith("deploy-image"));
  if (flags.image === undefined) {
    if (wantsImage) throw new UsageError("--plugins deploy-image/v1-alpha needs --image <image>");
    const alone = flags.imageContainerCommand ?? flags.imageContainerPort ?? flags.runAsUser;
    if (alone !== undefined)
      throw new UsageError("--image-container-command, --image-container-port and --run-as-user need --image <image>");
    return undefined;
  }
  const image: DeployImage = {
    image: flags.image,
    containerCommand: flags.imageContainerCommand,
    containerPort: flags.imageContainerPort,
    runAsUser: flags.runAsUser,
  };
  checkDeployImage(image);
  return image;
}
