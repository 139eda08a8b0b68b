import { gunzipSync } from "node:zlib";
import { ConfigMapKind, PodKind } from "./kinds.ts";
import { objectKey, type Named, type ObjectKey } from "../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../apimachinery/status.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { retryOnConflict } from "../../client/retry-on-conflict.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";
import {
  CatalogSourceKind,
  injectedBundlesAnnotation,
  registryPodAnnotation,
  type CatalogSource,
} from "../../client/manifests/olm-kinds.ts";
import { awaitGone } from "./await-gone.ts";
import { fieldOwner, poll, type OlmHost } from "./olm-host.ts";
import { podState } from "./pod-state.ts";
import { catalogKey, registryObjects, registryPort, type RegistryPodOptions } from "./registry-objects.ts";

/** The parts of a catalog source. */
export interface ServedCatalog {
  readonly documents: readonly object[];
  readonly podName: string;
  /** The bundles that its annotation lists. */
  readonly injected: readonly { readonly imageTag: string; readonly mode: string }[];
}

/** Serves a catalog by a pod, and sets its address in the catalog source. */
export async function serveCatalog(
  host: OlmHost,
  source: Named<CatalogSource>,
  { documents, podName, injected }: ServedCatalog,
  options: RegistryPodOptions & { readonly deadline: number },
): Promise<void> {
  const { client } = host;
  const { namespace } = source.metadata;
  const key = { namespace, name: podName };
  await awaitEarlierPod(host, source, key, options.deadline);
  for (const object of registryObjects(source, documents, { podName, ...options })) {
    const kind = object.kind === "Pod" ? PodKind : ConfigMapKind;
    await client.create(kind, object, { fieldOwner }).catch(async (error: unknown) => {
      if (!isAlreadyExists(error) || kind === PodKind) throw error;
      await client.update(kind, object, { fieldOwner });
    });
  }
  host.emit(`waiting for the registry pod ${podName}`);
  const pod = await poll(host, options.deadline, {
    async ask() {
      const found = await client.getOrUndefined(PodKind, key);
      return found?.status?.phase === "Running" ? found : undefined;
    },
    explain: async () =>
      new TsopError("TSOP_OLM_TIMEOUT", {
        what: `the registry pod ${podName}`,
        state: podState(await client.getOrUndefined(PodKind, key)),
      }),
  });
  await retryOnConflict(async () => {
    const current = await client.get(CatalogSourceKind, objectKey(source));
    const { image: _, ...spec } = current.spec;
    const annotations = {
      ...current.metadata.annotations,
      "operators.operatorframework.io/index-image": options.indexImage,
      [injectedBundlesAnnotation]: JSON.stringify(injected),
      [registryPodAnnotation]: podName,
    };
    const address = `${pod.status?.podIP}:${registryPort}`;
    const metadata = { ...current.metadata, annotations };
    await client.update(CatalogSourceKind, { ...current, metadata, spec: { ...spec, sourceType: "grpc", address } });
  });
}

/** Waits for the end of the pod of an earlier catalog: it has the same name, and goes some time after its CatalogSource. */
async function awaitEarlierPod(
  host: OlmHost,
  source: Named<CatalogSource>,
  key: ObjectKey,
  deadline: number,
): Promise<void> {
  const found = await host.client.getOrUndefined(PodKind, key);
  const owner = found?.metadata.ownerReferences?.find(({ kind }) => kind === CatalogSourceKind.kind);
  if (!found || !owner || owner.uid === source.metadata.uid) return;
  await awaitGone(host, { kind: PodKind, object: found }, { deadline });
}

/** Returns the documents of the catalog that a catalog source of `run bundle` serves. */
export async function readServedCatalog(
  { client, namespace }: Pick<OlmHost, "client" | "namespace">,
  source: Named<CatalogSource>,
): Promise<object[]> {
  const { items } = await client.list(ConfigMapKind, { namespace });
  const own = items.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === source.metadata.uid));
  // OLM's own ConfigMaps, with the bundles that it has unpacked from images, belong to the source, too.
  const texts = own.flatMap(({ binaryData }) => {
    const data = binaryData?.[catalogKey];
    return data === undefined ? [] : [gunzipSync(Buffer.from(data, "base64")).toString("utf8")];
  });
  return parseDocuments(texts.join("\n---\n"), source.metadata.name) as object[];
}

/** Deletes a pod and waits until it is gone. */
export async function removePod(host: OlmHost, name: string, deadline: number): Promise<void> {
  const { client, namespace } = host;
  const key = { namespace, name };
  await client.delete(PodKind, key).catch(ignoreNotFound);
  await poll(host, deadline, {
    ask: async () => ((await client.getOrUndefined(PodKind, key)) ? undefined : true),
    explain: async () =>
      new TsopError("TSOP_OLM_TIMEOUT", { what: `the end of pod ${name}`, state: "it still exists" }),
  });
}
