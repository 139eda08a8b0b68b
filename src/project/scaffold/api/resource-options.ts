import { checkDns1035Label, checkKindName } from "../../../apimachinery/names.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import type { Project } from "../../project.ts";
import { checkAnyKind, checkAnyVersion, checkGroupPart, checkModulePath, checkPackageSpec } from "../../value-rules.ts";
import type { FlagsOf } from "../scaffold-flag.ts";
import type { nameFlags } from "./resource-flags.ts";

/** The flags that name a kind, completed. */
export interface ResourceOptions extends FlagsOf<typeof nameFlags> {
  readonly group: string;
  readonly kind: string;
}

/** Throws for the first value that must not become part of a path or of source text. */
export function checkResourceOptions(options: ResourceOptions): void {
  const { group, version, kind, plural, externalApiPath, externalApiDomain, externalApiModule } = options;
  const groupRule = checkGroupPart(group);
  if (groupRule) throw new TsopError("TSOP_INVALID_GROUP", { value: group, rule: groupRule });
  const versionRule = checkAnyVersion(version);
  if (versionRule) throw new TsopError("TSOP_INVALID_VERSION", { value: version, rule: versionRule });
  const kindRule = checkAnyKind(kind);
  if (kindRule) throw new TsopError("TSOP_INVALID_KIND", { value: kind, rule: kindRule, better: betterKind(kind) });
  const pluralRule = plural === undefined ? undefined : checkDns1035Label(plural);
  if (pluralRule) throw new TsopError("TSOP_INVALID_PLURAL", { value: plural!, rule: pluralRule });
  checkOption("--external-api-path", externalApiPath, checkModulePath);
  checkOption("--external-api-domain", externalApiDomain, checkGroupPart);
  checkOption("--external-api-module", externalApiModule, checkPackageSpec);
}

/** Throws if the domain is in the group, to which it is added: `cache.example.com` would be `cache.example.com.example.com`. */
export function checkGroupDomain({ domain }: Project, group: string): void {
  if (!domain || (group !== domain && !group.endsWith(`.${domain}`))) return;
  const short = group.slice(0, -domain.length - 1);
  const advice = short ? `give the part before it: --group ${short}` : "leave out --group";
  throw new TsopError("TSOP_GROUP_WITH_DOMAIN", { group, domain, advice });
}

/** Throws if a value that was given breaks a rule. */
export function checkOption(
  flag: string,
  value: string | undefined,
  check: (value: string) => string | undefined,
): void {
  const rule = value === undefined ? undefined : check(value);
  if (rule) throw new TsopError("TSOP_INVALID_OPTION", { flag, value: JSON.stringify(value), rule });
}

/** Suggests a kind: `first-mate` → `FirstMate`; a reserved name gets the prefix `My`. */
export function betterKind(kind: string): string {
  const camel = kind.replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_whole, _gap, letter: string) =>
    letter.toUpperCase(),
  );
  return checkKindName(camel) === undefined ? camel : `My${camel.replace(/[^A-Za-z0-9]/g, "")}`;
}
