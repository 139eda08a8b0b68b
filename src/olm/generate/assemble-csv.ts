import { sortedGoJson } from "../../apimachinery/go-text.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { ClusterServiceVersion, CrdDescription, CsvSpec, WebhookDescription } from "../csv/csv.ts";
import { defaultCsv } from "../csv/default-csv.ts";
import { completeCsv } from "../csv/drop-empty.ts";
import { dropUnknownFields } from "../csv/known-fields.ts";
import type { Crd } from "../bundle/crd.ts";
import { customResources, servedVersions, type Collection } from "./collect.ts";
import { strategyDeployments, relatedImages } from "./deployments.ts";
import { splitRbac } from "./split-rbac.ts";
import { webhookDefinitions } from "./webhook-definitions.ts";

export interface CsvOptions {
  readonly packageName: string;
  /** If absent, the base's name and version are kept. */
  readonly version?: string | undefined;
  readonly extraServiceAccounts: readonly string[];
  /** The tool that made the bundle: `tsop-v1.2.3`. */
  readonly builder: string;
  /** The layout of the PROJECT file. */
  readonly layout: string;
  readonly warn: (text: string) => void;
}

export interface AssembledCsv {
  /** The complete CSV, except for its creation time. */
  readonly csv: ClusterServiceVersion;
  /** RBAC objects that the CSV cannot express. */
  readonly rbacObjects: UnstructuredObject[];
}

/** Fills the base CSV from the collected manifests. */
export function assembleCsv(collection: Collection, options: CsvOptions): AssembledCsv {
  const base = chooseBase(collection.csvs, options);
  const { spec } = base;
  const strategy = spec.install?.strategy || "deployment";
  if (strategy === "deployment" && collection.deployments.length === 0)
    options.warn("the input has no Deployment: OLM would install the bundle, and run nothing");
  const rbac = splitRbac(collection, options.extraServiceAccounts);
  const webhooks = webhookDefinitions(collection, options.warn);
  const served = new Set(webhooks.flatMap(({ deploymentName }) => deploymentName ?? []));
  const filled: CsvSpec = {
    ...spec,
    customresourcedefinitions: {
      ...spec.customresourcedefinitions,
      owned: ownedCrds(collection.crds, spec.customresourcedefinitions?.owned ?? []),
    },
    relatedImages: relatedImages(collection.deployments, spec.relatedImages ?? [], options.warn),
    ...(strategy === "deployment" ? installSpec(collection, rbac, { webhooks, served }) : {}),
    ...(options.version === undefined ? {} : { version: options.version }),
  };
  const annotations = {
    ...base.metadata.annotations,
    "alm-examples": sortedGoJson(customResources(collection), "\n"),
    "operators.operatorframework.io/builder": options.builder,
    "operators.operatorframework.io/project_layout": options.layout,
  };
  const name = options.version === undefined ? base.metadata.name : `${options.packageName}.v${options.version}`;
  const csv = { ...base, metadata: { ...base.metadata, ...(name ? { name } : {}), annotations }, spec: filled };
  return { csv: completeCsv(csv), rbacObjects: rbac.objects };
}

function chooseBase(csvs: readonly ClusterServiceVersion[], { packageName, warn }: CsvOptions): ClusterServiceVersion {
  const [base, ...others] = csvs.filter(({ metadata }) => metadata.name?.startsWith(`${packageName}.`));
  if (others.length > 0) {
    throw new TsopError("TSOP_BUNDLE_TWICE", { what: `a ClusterServiceVersion of package ${packageName}` });
  }
  if (base) return dropUnknownFields(base, `ClusterServiceVersion ${base.metadata.name}`, warn);
  const names = csvs.map(({ metadata }) => metadata.name).join(", ");
  warn(
    csvs.length > 0
      ? `no ClusterServiceVersion of package ${packageName} in the input, only ${names}: starting from an empty one`
      : "building a ClusterServiceVersion without an existing base",
  );
  return defaultCsv(packageName);
}

/** Returns an entry for each served version; the base's descriptions are kept. */
function ownedCrds(crds: readonly Crd[], known: readonly CrdDescription[]): CrdDescription[] {
  const newestFirst = [...crds.filter(isV1), ...crds.filter((crd) => !isV1(crd))];
  return newestFirst.flatMap((crd) =>
    servedVersions(crd).map((version) => {
      const [name, kind] = [crd.metadata.name ?? "", crd.spec.names.kind];
      const same = known.find((entry) => entry.name === name && entry.version === version && entry.kind === kind);
      return same ? completeOwned(same) : { name, version, kind };
    }),
  );
}

/** Reports whether a CRD has the version that servers accept today. */
export function isV1({ apiVersion }: Crd): boolean {
  return apiVersion === "apiextensions.k8s.io/v1";
}

/** Adds the name of each resource, which the Go tool writes even if it is empty. */
function completeOwned(entry: CrdDescription): CrdDescription {
  return entry.resources
    ? { ...entry, resources: entry.resources.map((resource) => ({ name: "", ...resource })) }
    : entry;
}

interface Webhooks {
  readonly webhooks: WebhookDescription[];
  readonly served: ReadonlySet<string>;
}

function installSpec(
  collection: Collection,
  { permissions, clusterPermissions }: ReturnType<typeof splitRbac>,
  { webhooks, served }: Webhooks,
): Pick<CsvSpec, "install" | "webhookdefinitions"> {
  const deployments = strategyDeployments(collection.deployments, served);
  return {
    install: {
      strategy: "deployment",
      spec: {
        deployments: deployments.length > 0 ? deployments : null,
        ...(permissions.length > 0 ? { permissions } : {}),
        ...(clusterPermissions.length > 0 ? { clusterPermissions } : {}),
      },
    },
    webhookdefinitions: webhooks,
  };
}
