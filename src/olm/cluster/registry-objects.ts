import { gzipSync } from "node:zlib";
import type { ObjectMeta, UnstructuredObject } from "../../apimachinery/meta.ts";
import type { CatalogSource } from "../../client/manifests/olm-kinds.ts";

/** Settings of the pod that serves a catalog. */
export interface RegistryPodOptions {
  readonly indexImage: string;
  readonly decompressionImage: string;
  readonly serviceAccount?: string | undefined;
  readonly pullPolicy: string;
  readonly pullSecret?: string | undefined;
  readonly securityContext: "legacy" | "restricted";
}

/** Most bytes of a part of a catalog; a ConfigMap holds one MiB in base64. */
const partSize = 700_000;
export const registryPort = 50_051;
/** Key of a part in its ConfigMap. */
export const catalogKey = "extraFBC";

/** Returns a DNS label of at most 63 characters, made of the end of a text. */
export function dnsLabel(text: string): string {
  const label = text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return label.slice(-63).replace(/^-+|-+$/g, "");
}

/** Returns the objects that serve a catalog: ConfigMaps with its parts, and the pod that unpacks and serves them. */
export function registryObjects(
  source: CatalogSource,
  documents: readonly object[],
  { podName, ...options }: RegistryPodOptions & { readonly podName: string },
): UnstructuredObject[] {
  const { name = "", namespace = "", uid = "" } = source.metadata;
  const owner = { apiVersion: "operators.coreos.com/v1alpha1", kind: "CatalogSource", name, uid };
  const metadata = (own: string): ObjectMeta => ({ name: own, namespace, ownerReferences: [owner] });
  const maps = partition(documents).map((text, index) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      ...metadata(`${name}-configmap-partition-${index + 1}`),
      annotations: { "olm.contentEncoding": "gzip+base64" },
    },
    binaryData: { [catalogKey]: gzipSync(text).toString("base64") },
  }));
  const names = maps.map((map) => map.metadata.name ?? "");
  return [...maps, registryPod(metadata(podName), names, options, name)];
}

/** Divides documents so that each part fits in a ConfigMap. */
function partition(documents: readonly object[]): string[] {
  const parts: string[] = [];
  let part = "";
  for (const document of documents.map((each) => JSON.stringify(each))) {
    const next = part === "" ? document : `${part}\n---\n${document}`;
    if (part !== "" && gzipSync(next).length > partSize) {
      parts.push(part);
      part = document;
    } else part = next;
  }
  return [...parts, part];
}

function registryPod(
  metadata: ObjectMeta,
  maps: readonly string[],
  options: RegistryPodOptions,
  catalog: string,
): UnstructuredObject {
  const { indexImage, decompressionImage, serviceAccount, pullPolicy, pullSecret, securityContext } = options;
  const packed = (map: string): string => `/compressed/${catalog}-configs/${map}`;
  const unpacked = (map: string): string => `/${catalog}-configs/${map}`;
  const unpackedMounts = maps.map((map) => ({ name: `${map}-unzip`, mountPath: unpacked(map) }));
  const unpack = maps.map(
    (map) => `cat ${packed(map)}/${catalogKey} | gzip -d -c > ${unpacked(map)}/${catalogKey}.yaml`,
  );
  const restricted = securityContext === "restricted";
  const container = restricted
    ? { securityContext: { privileged: false, allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } }
    : {};
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: {
      ...(serviceAccount !== undefined && { serviceAccountName: serviceAccount }),
      ...(pullSecret !== undefined && { imagePullSecrets: [{ name: pullSecret }] }),
      ...(restricted && { securityContext: { seccompProfile: { type: "RuntimeDefault" } } }),
      volumes: maps.flatMap((map) => [
        { name: map, configMap: { name: map, items: [{ key: catalogKey, path: catalogKey }] } },
        { name: `${map}-unzip`, emptyDir: {} },
      ]),
      initContainers: [
        {
          name: "registry-grpc-init",
          image: decompressionImage,
          imagePullPolicy: "IfNotPresent",
          command: ["sh", "-c", unpack.join("\n")],
          volumeMounts: [...maps.map((map) => ({ name: map, mountPath: packed(map) })), ...unpackedMounts],
          ...container,
        },
      ],
      containers: [
        {
          name: "registry-grpc",
          image: indexImage,
          imagePullPolicy: pullPolicy,
          command: ["sh", "-c", `opm serve /${catalog}-configs -p ${registryPort}`],
          ports: [{ name: "grpc", containerPort: registryPort }],
          volumeMounts: unpackedMounts,
          ...container,
        },
      ],
    },
  };
}
