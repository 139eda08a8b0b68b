import { TsopError } from "../../errors/tsop-error.ts";
import {
  CatalogSourceKind,
  injectedBundlesAnnotation,
  registryPodAnnotation,
  SubscriptionKind,
} from "../../client/manifests/olm-kinds.ts";
import { renderBundle, type BundleBlob } from "../catalog/render-bundle.ts";
import { compareSemver, parseTolerantSemver } from "../semver.ts";
import { followInstall } from "./follow-install.ts";
import { requireOlm, type OlmHost } from "./olm-host.ts";
import { dnsLabel, type RegistryPodOptions } from "./registry-objects.ts";
import { packageOf, type RunnableBundle } from "./run-catalog.ts";
import { readServedCatalog, removePod, serveCatalog } from "./serve-catalog.ts";

interface Channel {
  readonly schema: "olm.channel";
  readonly name: string;
  readonly entries: readonly {
    readonly name: string;
    readonly replaces?: string;
    readonly skips?: readonly string[];
  }[];
}

export interface UpgradeOptions extends RegistryPodOptions {
  /** Replaces a newer version as well, as OLM does. */
  readonly force?: boolean | undefined;
}

/** Upgrades an operator of `run bundle`: the bundle replaces the head of the subscription's channel. */
export async function upgradeBundle(
  host: OlmHost,
  runnable: RunnableBundle,
  { force = false, ...options }: UpgradeOptions,
): Promise<string> {
  const deadline = Date.now() + host.timeoutMs;
  const { client, namespace } = host;
  await requireOlm(host);
  const { bundle, image } = runnable;
  const csv = bundle.csv.metadata.name ?? "";
  const packageName = packageOf(bundle);
  const subscriptions = await client.list(SubscriptionKind, { namespace });
  const subscription = subscriptions.items.find(({ spec }) => spec.name === packageName);
  if (!subscription) throw new TsopError("TSOP_NOT_SUBSCRIBED", { package: packageName, namespace });
  const { source: name, channel: channelName } = subscription.spec;
  const source = await client.get(CatalogSourceKind, { namespace: subscription.spec.sourceNamespace, name });
  const { [registryPodAnnotation]: oldPod, [injectedBundlesAnnotation]: list } = source.metadata.annotations ?? {};
  if (oldPod === undefined) throw new TsopError("TSOP_CATALOG_FOREIGN", { catalog: name, package: packageName });
  const documents = (await readServedCatalog(host, source)) as (Channel | BundleBlob)[];
  const channel = documents.find((each): each is Channel => each.schema === "olm.channel" && each.name === channelName);
  const head = channel && headOf(channel);
  if (!channel || head === undefined)
    throw new TsopError("TSOP_CATALOG_FOREIGN", { catalog: name, package: packageName });
  if (channel.entries.some((entry) => entry.name === csv))
    throw new TsopError("TSOP_BUNDLE_IN_CATALOG", { csv, catalog: name });
  const rendered = renderBundle(bundle, image);
  if (!force)
    refuseOlder(
      rendered,
      documents.find((each): each is BundleBlob => each.schema === "olm.bundle" && each.name === head),
    );
  const grown = { ...channel, entries: [...channel.entries, { name: csv, replaces: head }] };
  const next = [...documents.map((each) => (each === channel ? grown : each)), rendered];
  const injected = [
    ...(JSON.parse(list ?? "[]") as { imageTag: string; mode: string }[]),
    { imageTag: image, mode: "semver" },
  ];
  const podName = dnsLabel(image || csv);
  await serveCatalog(host, source, { documents: next, podName, injected }, { ...options, deadline });
  host.emit(`${csv} replaces ${head} in CatalogSource ${name}`);
  if (oldPod !== podName) await removePod(host, oldPod, deadline);
  await followInstall(host, { subscription: subscription.metadata.name, csv, deadline });
  return csv;
}

/** Returns the entry of a channel that no other replaces. */
function headOf({ entries }: Channel): string | undefined {
  const replaced = new Set(entries.flatMap(({ replaces, skips = [] }) => [replaces, ...skips]));
  return entries.find(({ name }) => !replaced.has(name))?.name;
}

/**
 * Throws unless a bundle is a newer version than the one that it replaces. OLM compares no versions, and would replace
 * it.
 */
function refuseOlder(bundle: BundleBlob, head: BundleBlob | undefined): void {
  const [next = "", last = ""] = [versionOf(bundle), head && versionOf(head)];
  const [a, b] = [parseTolerantSemver(next), parseTolerantSemver(last)];
  if (!head || !a || !b || compareSemver(a, b) > 0) return;
  throw new TsopError("TSOP_BUNDLE_NOT_NEWER", { csv: bundle.name, version: next, head: head.name, last });
}

function versionOf({ properties }: BundleBlob): string | undefined {
  const found = properties.find(({ type }) => type === "olm.package");
  return (found?.value as { readonly version?: string } | undefined)?.version;
}
