import { checkDns1035Label, checkDns1123Subdomain } from "../../../apimachinery/names.ts";
import { approvalAnnotation, approvalErrors } from "../../../apimachinery/crd/approval-errors.ts";
import type { Crd, WebhookClient } from "../../bundle/crd.ts";
import type { Rule } from "../finding.ts";

/** Checks the CRDs as an API server does, except for their schemas. */
export const checkCrds: Rule = ({ crds }, report) => {
  for (const crd of crds) {
    // Bundles have several CRDs with the same mistake.
    const where = `, in CustomResourceDefinition ${crd.metadata.name ?? ""}`;
    const refuse: Refuse = (field, given, detail) => {
      const value = typeof given === "string" ? given : JSON.stringify(given);
      report("error", "crd", detail + where, { field, value });
    };
    checkNames(crd, refuse);
    for (const { field, message } of approvalErrors(crd.spec.group, crd.metadata.annotations))
      refuse(field, crd.metadata.annotations?.[approvalAnnotation] ?? "", message);
    checkVersions(crd, refuse);
    checkConversion(crd, refuse);
  }
};

type Refuse = (field: string, value: unknown, detail: string) => void;

function checkNames({ metadata, spec }: Crd, refuse: Refuse): void {
  const { group, names } = spec;
  const { plural, singular, kind, listKind } = (names ?? {}) as Record<string, string | undefined>;
  const name = `${plural}.${group}`;
  if (metadata.name !== name) refuse("metadata.name", metadata.name ?? "", `must be ${name}`);
  const groupRule = checkDns1123Subdomain(group ?? "") ?? (group.includes(".") ? undefined : "a domain with a dot");
  if (groupRule) refuse("spec.group", group, `must be ${groupRule}`);
  const scope = spec["scope"];
  if (scope !== "Cluster" && scope !== "Namespaced") refuse("spec.scope", scope ?? "", "must be Cluster or Namespaced");
  const labels = { plural, singular, kind: lower(kind), listKind: lower(listKind) };
  for (const [field, value] of Object.entries(labels)) {
    const isOptional = field === "singular" || field === "listKind";
    const rule = value === undefined && isOptional ? undefined : checkDns1035Label(value ?? "");
    if (rule) refuse(`spec.names.${field}`, names?.[field] ?? "", `must be ${rule}`);
  }
  for (const list of ["shortNames", "categories"]) {
    for (const [index, value] of ((names?.[list] ?? []) as string[]).entries()) {
      const rule = checkDns1035Label(value);
      if (rule) refuse(`spec.names.${list}[${index}]`, value, `must be ${rule}`);
    }
  }
  if (kind && kind === listKind) refuse("spec.names.listKind", listKind, "must differ from the kind");
}

function lower(value: string | undefined): string | undefined {
  return value?.toLowerCase();
}

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage?: boolean;
  readonly subresources?: { readonly scale?: { readonly [path: string]: string } };
  readonly additionalPrinterColumns?: readonly {
    readonly name?: string;
    readonly type?: string;
    readonly jsonPath?: string;
    readonly JSONPath?: string;
  }[];
}

function checkVersions({ apiVersion, spec }: Crd, refuse: Refuse): void {
  const isV1 = apiVersion === "apiextensions.k8s.io/v1";
  const versions: readonly Version[] = (spec.versions as Version[] | undefined) ?? [
    { name: spec.version ?? "", served: true, storage: true },
  ];
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length) refuse("spec.versions", names, "must contain unique version names");
  if (versions.filter(({ storage }) => storage).length !== 1) {
    refuse("spec.versions", names, "must have exactly one version marked as storage version");
  }
  if (isV1 ? spec["preserveUnknownFields"] === true : spec["preserveUnknownFields"] !== false) {
    refuse(
      "spec.preserveUnknownFields",
      spec["preserveUnknownFields"] ?? true,
      "must be false: write x-kubernetes-preserve-unknown-fields into the schema instead",
    );
  }
  for (const [index, version] of versions.entries()) {
    const field = `spec.versions[${index}]`;
    const rule = checkDns1035Label(version.name);
    if (rule) refuse(`${field}.name`, version.name, `must be ${rule}`);
    checkScale(version, `${field}.subresources.scale`, refuse);
    checkColumns(version, `${field}.additionalPrinterColumns`, refuse);
  }
}

function checkScale({ subresources }: Version, field: string, refuse: Refuse): void {
  const { scale } = subresources ?? {};
  if (!scale) return;
  const roots = { specReplicasPath: ".spec.", statusReplicasPath: ".status.", labelSelectorPath: "" };
  for (const [name, root] of Object.entries(roots)) {
    const path = scale[name];
    if (path === undefined && name === "labelSelectorPath") continue;
    const isSimple = /^(\.[a-zA-Z_][\w-]*)+$/.test(path ?? "");
    const isRooted = root === "" ? /^\.(spec|status)\./.test(path ?? "") : path?.startsWith(root);
    if (!isSimple || !isRooted)
      refuse(`${field}.${name}`, path ?? "", `must be a simple JSONPath below ${root || ".spec. or .status."}`);
  }
}

function checkColumns({ additionalPrinterColumns = [] }: Version, field: string, refuse: Refuse): void {
  for (const [index, column] of additionalPrinterColumns.entries()) {
    const path = column.jsonPath ?? column.JSONPath ?? "";
    if (!column.name) refuse(`${field}[${index}].name`, "", "is missing");
    if (!/^(boolean|date|integer|number|string)$/.test(column.type ?? "")) {
      refuse(`${field}[${index}].type`, column.type ?? "", "must be boolean, date, integer, number or string");
    }
    if (!path.startsWith(".")) refuse(`${field}[${index}].jsonPath`, path, "must be a JSONPath that starts with a dot");
  }
}

function checkConversion({ apiVersion, spec }: Crd, refuse: Refuse): void {
  const { conversion } = spec;
  if (!conversion) return;
  const { strategy = "None" } = conversion;
  // Only v1beta1 has a default.
  const isDefaulted = strategy === "Webhook" && apiVersion === "apiextensions.k8s.io/v1beta1";
  const defaults = isDefaulted ? ["v1beta1"] : [];
  const client = conversion.webhook?.clientConfig ?? conversion.webhookClientConfig;
  const reviews = conversion.webhook?.conversionReviewVersions ?? conversion.conversionReviewVersions ?? defaults;
  const field = "spec.conversion.webhook";
  if (strategy !== "Webhook") {
    if (strategy !== "None") refuse("spec.conversion.strategy", strategy, "must be None or Webhook");
    if (client) refuse(`${field}.clientConfig`, "", "must not be set without the strategy Webhook");
    if (reviews.length > 0)
      refuse(`${field}.conversionReviewVersions`, reviews, "must not be set without the strategy Webhook");
    return;
  }
  if (!client) refuse(`${field}.clientConfig`, "", "is required with the strategy Webhook");
  else checkClient(client, `${field}.clientConfig`, refuse);
  if (!reviews.some((version) => version === "v1" || version === "v1beta1")) {
    refuse(`${field}.conversionReviewVersions`, reviews, "must include v1 or v1beta1");
  }
}

function checkClient({ service, url }: WebhookClient, field: string, refuse: Refuse): void {
  if ((service === undefined) === (url === undefined)) return refuse(field, "", "must have either a service or a url");
  if (url !== undefined && !/^https:\/\/[^\s?#@]+$/.test(url)) {
    refuse(`${field}.url`, url, "must be a URL of scheme https, without user, query and fragment");
  }
  if (!service) return;
  const { name, namespace, port = 443, path } = service;
  if (!name) refuse(`${field}.service.name`, "", "is required");
  if (!namespace) refuse(`${field}.service.namespace`, "", "is required");
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    refuse(`${field}.service.port`, port, "must be between 1 and 65535");
  if (path !== undefined && !path.startsWith("/")) refuse(`${field}.service.path`, path, "must start with a slash");
}
