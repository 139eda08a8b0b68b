import {
  checkApiVersion,
  checkDns1035Label,
  checkDns1123Subdomain,
  checkKindName,
  pluralize,
} from "../apimachinery/names.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { qualifiedGroup, type Project, type Resource } from "../project/project.ts";

export interface ApiOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string | undefined;
  readonly resource: boolean;
  readonly controller: boolean;
  /** The scope of the kind. */
  readonly namespaced: boolean;
  readonly force: boolean;
}

/** Checks group, version and kind, and says what PROJECT will record of them. */
export function parseResource(project: Project, options: ApiOptions): Resource {
  const { group, version, kind } = options;
  checkNames(project, options);
  const plural = options.plural ?? pluralize(kind.toLowerCase());
  const folder = project.multigroup && group ? `${group}/${version}` : version;
  return {
    ...(options.resource ? { api: { crdVersion: "v1", ...(options.namespaced ? { namespaced: true } : {}) } } : {}),
    ...(project.domain ? { domain: project.domain } : {}),
    ...(group ? { group } : {}),
    kind,
    path: `${project.repo ?? project.projectName}/api/${folder}`,
    ...(plural === pluralize(kind.toLowerCase()) ? {} : { plural }),
    version,
  };
}

function checkNames(project: Project, { group, version, kind, plural }: ApiOptions): void {
  const qualified = qualifiedGroup({ group, domain: project.domain ?? "" });
  const groupRule = checkDns1123Subdomain(qualified);
  if (groupRule) throw new TsopError("TSOP_INVALID_GROUP", { value: qualified, rule: groupRule });
  const versionRule = checkApiVersion(version);
  if (versionRule) throw new TsopError("TSOP_INVALID_VERSION", { value: version, rule: versionRule });
  const kindRule = checkKindName(kind);
  if (kindRule) throw new TsopError("TSOP_INVALID_KIND", { value: kind, rule: kindRule, better: betterKind(kind) });
  const pluralRule = plural === undefined ? undefined : checkDns1035Label(plural);
  if (pluralRule) throw new TsopError("TSOP_INVALID_PLURAL", { value: plural!, rule: pluralRule });
  const other = project.resources?.find((resource) => resource.api && (resource.group ?? "") !== group);
  if (other && !project.multigroup) {
    throw new TsopError("TSOP_SECOND_GROUP", { group, other: other.group ?? "" });
  }
}

/** `first-mate` → `FirstMate`; a name that says nothing yet gets a `My` in front. */
function betterKind(kind: string): string {
  const camel = kind.replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_whole, _gap, letter: string) =>
    letter.toUpperCase(),
  );
  return checkKindName(camel) === undefined ? camel : `My${camel.replace(/[^A-Za-z0-9]/g, "")}`;
}
