import { isAlreadyExists } from "../../apimachinery/status.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import {
  CatalogSourceKind,
  copiedLabel,
  CsvKind,
  OperatorGroupKind,
  SubscriptionKind,
  type CsvObject,
} from "../../client/manifests/olm-kinds.ts";
import { followInstall } from "./follow-install.ts";
import { targetNamespaces, type InstallMode } from "./install-mode.ts";
import { fieldOwner, requireOlm, type OlmHost } from "./olm-host.ts";
import { dnsLabel, type RegistryPodOptions } from "./registry-objects.ts";
import { packageOf, runCatalog, runChannel, type RunnableBundle } from "./run-catalog.ts";
import { serveCatalog } from "./serve-catalog.ts";

export interface RunBundleOptions extends RegistryPodOptions {
  readonly installMode?: InstallMode | undefined;
}

export const operatorGroupName = "operator-sdk-og";

/** Returns the name of the catalog source of a package. */
export function catalogName(packageName: string): string {
  return `${packageName}-catalog`;
}

/** Installs a bundle by OLM: a catalog with it alone, a group, a subscription, and the approval of its InstallPlan. */
export async function runBundle(host: OlmHost, runnable: RunnableBundle, options: RunBundleOptions): Promise<string> {
  const deadline = Date.now() + host.timeoutMs;
  const { client, namespace } = host;
  await requireOlm(host);
  const { bundle, image } = runnable;
  const csv = bundle.csv as unknown as CsvObject;
  const csvName = csv.metadata.name ?? "";
  const targets = targetNamespaces(csv, namespace, options.installMode);
  const packageName = packageOf(bundle);
  await refuseCopy(host, csvName, packageName);
  const name = catalogName(packageName);
  const source = await client
    .create(
      CatalogSourceKind,
      {
        apiVersion: "operators.coreos.com/v1alpha1",
        kind: "CatalogSource",
        metadata: { name, namespace },
        spec: {
          sourceType: "grpc",
          displayName: packageName,
          publisher: fieldOwner,
          ...(options.pullSecret !== undefined && { secrets: [options.pullSecret] }),
          grpcPodConfig: { securityContextConfig: options.securityContext },
        },
      },
      { fieldOwner },
    )
    .catch((cause: unknown) => {
      if (!isAlreadyExists(cause)) throw cause;
      throw new TsopError("TSOP_CATALOG_EXISTS", { catalog: name }, { cause });
    });
  host.emit(`created CatalogSource ${name}`);
  const podName = dnsLabel(image || csvName);
  const injected = [{ imageTag: image, mode: "semver" }];
  await serveCatalog(host, source, { documents: runCatalog([runnable]), podName, injected }, { ...options, deadline });
  await keepOperatorGroup(host, targets, options.installMode !== undefined);
  const subscription = `${dnsLabel(csvName)}-sub`;
  await client.create(
    SubscriptionKind,
    {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "Subscription",
      metadata: { name: subscription, namespace },
      spec: {
        name: packageName,
        channel: runChannel,
        startingCSV: csvName,
        source: name,
        sourceNamespace: namespace,
        installPlanApproval: "Manual",
      },
    },
    { fieldOwner },
  );
  host.emit(`created Subscription ${subscription}`);
  await followInstall(host, { subscription, csv: csvName, deadline });
  return csvName;
}

/** Throws if the CSV is in the namespace as a copy: OLM would take this for an installation, and install nothing. */
async function refuseCopy({ client, namespace }: OlmHost, name: string, packageName: string): Promise<void> {
  const known = await client.getOrUndefined(CsvKind, { namespace, name });
  const from = known?.metadata.labels?.[copiedLabel];
  if (from !== undefined)
    throw new TsopError("TSOP_OPERATOR_ELSEWHERE", { csv: name, namespace, from, package: packageName });
}

/** Creates the OperatorGroup of the namespace. One that exists is used if it has the same targets, or none are asked for. */
async function keepOperatorGroup(
  { client, namespace, emit }: OlmHost,
  targets: readonly string[],
  isAsked: boolean,
): Promise<void> {
  const { items } = await client.list(OperatorGroupKind, { namespace });
  const [existing] = items;
  if (items.length > 1)
    throw new TsopError("TSOP_OPERATOR_GROUPS", {
      namespace,
      groups: items.map(({ metadata }) => metadata.name).join(", "),
    });
  if (existing) {
    const has = (existing.spec?.targetNamespaces ?? []).toSorted();
    if (isAsked && has.join() !== targets.toSorted().join()) {
      const group = existing.metadata.name;
      throw new TsopError("TSOP_OPERATOR_GROUP_TARGETS", {
        group,
        has: has.join(", ") || "all",
        asked: targets.join(", ") || "all",
      });
    }
    return emit(`using OperatorGroup ${existing.metadata.name}`);
  }
  await client.create(
    OperatorGroupKind,
    {
      apiVersion: "operators.coreos.com/v1",
      kind: "OperatorGroup",
      metadata: { name: operatorGroupName, namespace },
      spec: targets.length > 0 ? { targetNamespaces: [...targets] } : {},
    },
    { fieldOwner },
  );
  emit(`created OperatorGroup ${operatorGroupName}`);
}
