import { checkApiVersion, checkDns1035Label, checkDns1123Subdomain, checkKindName } from "../../apimachinery/names.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { qualifiedGroup, type Project } from "../../project/project.ts";

/** Group, version and kind as a person gives them, and where the type comes from if it is not the project's. */
export interface ResourceOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string | undefined;
  /** What to import a foreign type's Kind from: a package's path, or a file of the project (`./…`). */
  readonly externalApiPath?: string | undefined;
  readonly externalApiDomain?: string | undefined;
  /** `package[@version]` that the path is in. */
  readonly externalApiModule?: string | undefined;
}

export interface ApiOptions extends ResourceOptions {
  readonly resource: boolean;
  readonly controller: boolean;
  readonly controllerName?: string | undefined;
  /** The scope of the kind. */
  readonly namespaced: boolean;
  readonly force: boolean;
  readonly deployImage?: DeployImage | undefined;
}

/** A kind that runs one image: types and a controller that do it are written in full. */
export interface DeployImage {
  readonly image: string;
  readonly containerCommand?: string | undefined;
  readonly containerPort?: number | undefined;
  readonly runAsUser?: number | undefined;
}

/** Throws for the first option that breaks a rule. */
export function checkApiOptions(project: Project, options: ApiOptions): void {
  const { group, version, kind, plural, controllerName } = options;
  const qualified = qualifiedGroup({ group, domain: project.domain ?? "" });
  const groupRule = checkDns1123Subdomain(qualified);
  if (groupRule) throw new TsopError("TSOP_INVALID_GROUP", { value: qualified || '""', rule: groupRule });
  const versionRule = checkApiVersion(version);
  if (versionRule) throw new TsopError("TSOP_INVALID_VERSION", { value: version, rule: versionRule });
  const kindRule = checkKindName(kind);
  if (kindRule) throw new TsopError("TSOP_INVALID_KIND", { value: kind, rule: kindRule, better: betterKind(kind) });
  const pluralRule = plural === undefined ? undefined : checkDns1035Label(plural);
  if (pluralRule) throw new TsopError("TSOP_INVALID_PLURAL", { value: plural!, rule: pluralRule });
  const nameRule = controllerName === undefined ? undefined : checkDns1035Label(controllerName);
  if (nameRule) throw new TsopError("TSOP_INVALID_CONTROLLER_NAME", { value: controllerName!, rule: nameRule });
  if (options.resource) checkOwnKind(project, options);
}

/** What holds for kinds of the project, and not for foreign ones. */
function checkOwnKind(project: Project, { group, kind, externalApiPath, externalApiDomain }: ApiOptions): void {
  if (externalApiPath !== undefined || externalApiDomain !== undefined) {
    throw new TsopError("TSOP_EXTERNAL_RESOURCE", { kind });
  }
  const own = (project.resources ?? []).filter((resource) => resource.api);
  const other = own.find((resource) => (resource.group ?? "") !== group);
  if (other && !project.multigroup) throw new TsopError("TSOP_SECOND_GROUP", { group, other: other.group ?? "" });
  const list = own.find((resource) => kind === `${resource.kind}List` || resource.kind === `${kind}List`);
  if (list) {
    const rule = `the list type of kind ${list.kind} gets in its way`;
    throw new TsopError("TSOP_INVALID_KIND", { value: kind, rule, better: `${kind}Item` });
  }
}

/** `first-mate` → `FirstMate`; a name that is taken gets a `My` in front. */
function betterKind(kind: string): string {
  const camel = kind.replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_whole, _gap, letter: string) =>
    letter.toUpperCase(),
  );
  return checkKindName(camel) === undefined ? camel : `My${camel.replace(/[^A-Za-z0-9]/g, "")}`;
}
