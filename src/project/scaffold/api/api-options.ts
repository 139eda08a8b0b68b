import {
  pluralize,
  checkApiVersion,
  checkDns1035Label,
  checkDns1123Subdomain,
  checkKindName,
} from "../../../apimachinery/names.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import { qualifiedGroup, type Project } from "../../project.ts";
import type { ApiFlags } from "./api-flags.ts";
import type { DeployImage } from "./deploy-image.ts";
import { betterKind, checkGroupDomain, checkResourceOptions, type ResourceOptions } from "./resource-options.ts";

/** The flags of `tsop create api`, completed. */
export type ApiOptions = ApiFlags &
  ResourceOptions & {
    readonly resource: boolean;
    readonly controller: boolean;
    readonly deployImage?: DeployImage | undefined;
  };

type NameOptions = ResourceOptions & Pick<ApiOptions, "resource" | "controllerName">;

/** Throws for the first invalid option. */
export function checkApiOptions(project: Project, options: NameOptions): void {
  const { group, version, kind, controllerName } = options;
  const qualified = qualifiedGroup({ group, domain: project.domain ?? "" });
  const groupRule = checkDns1123Subdomain(qualified);
  if (groupRule) throw new TsopError("TSOP_INVALID_GROUP", { value: qualified || '""', rule: groupRule });
  const versionRule = checkApiVersion(version);
  if (versionRule) throw new TsopError("TSOP_INVALID_VERSION", { value: version, rule: versionRule });
  const kindRule = checkKindName(kind);
  if (kindRule) throw new TsopError("TSOP_INVALID_KIND", { value: kind, rule: kindRule, better: betterKind(kind) });
  checkResourceOptions(options);
  const nameRule = controllerName === undefined ? undefined : checkDns1035Label(controllerName);
  if (nameRule) throw new TsopError("TSOP_INVALID_CONTROLLER_NAME", { value: controllerName!, rule: nameRule });
  if (options.resource) checkOwnKind(project, options);
}

/** Checks the options that apply only to kinds of the project. */
function checkOwnKind(
  project: Project,
  { group, kind, plural = pluralize(kind.toLowerCase()), externalApiPath, externalApiDomain }: NameOptions,
): void {
  if (externalApiPath !== undefined || externalApiDomain !== undefined) {
    throw new TsopError("TSOP_EXTERNAL_RESOURCE", { kind });
  }
  checkGroupDomain(project, group);
  const own = (project.resources ?? []).filter((resource) => resource.api);
  const other = own.find((resource) => (resource.group ?? "") !== group);
  if (other && !project.multigroup) {
    const second = qualifiedGroup({ group, domain: project.domain ?? "" });
    throw new TsopError("TSOP_SECOND_GROUP", { group: second, other: qualifiedGroup(other) });
  }
  const same = own.filter((resource) => (resource.group ?? "") === group && resource.kind !== kind);
  const taken = same.find((resource) => (resource.plural ?? pluralize(resource.kind.toLowerCase())) === plural);
  if (taken)
    throw new TsopError("TSOP_PLURAL_TAKEN", { plural, kind, other: taken.kind, better: `${kind.toLowerCase()}set` });
  const list = own.find((resource) => kind === `${resource.kind}List` || resource.kind === `${kind}List`);
  if (list) {
    const rule = `the list type of kind ${list.kind} has the same name`;
    throw new TsopError("TSOP_INVALID_KIND", { value: kind, rule, better: `${kind}Item` });
  }
}
