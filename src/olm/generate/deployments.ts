import type { Container, EnvVar, PodSpec, StrategyDeployment, RelatedImage } from "../csv/csv.ts";
import type { Deployment } from "./collect.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** Returns the Deployments as OLM installs them. OLM gives those in `served` the certificate of a webhook. */
export function strategyDeployments(
  deployments: readonly Deployment[],
  served: ReadonlySet<string>,
): StrategyDeployment[] {
  return deployments.map(({ metadata, spec }) => {
    const name = metadata.name ?? "";
    const pod = spec.template?.spec ?? {};
    const forOlm = watchTargetNamespaces(served.has(name) ? withoutWebhookCertificate(pod) : pod);
    const template = { ...spec.template, metadata: spec.template?.metadata ?? {}, spec: forOlm };
    return {
      name,
      ...(metadata.labels ? { label: metadata.labels } : {}),
      spec: { strategy: {}, ...spec, selector: spec.selector ?? null!, template },
    };
  });
}

/** OLM mounts its own certificate there, and a Pod cannot have two mounts at one path. */
const certificatePath = "/tmp/k8s-webhook-server/serving-certs";

function withoutWebhookCertificate(pod: PodSpec): PodSpec {
  const isCertificate = ({ mountPath }: { mountPath: string }): boolean =>
    mountPath.replace(/\/$/, "") === certificatePath;
  const all = [...(pod.initContainers ?? []), ...(pod.containers ?? [])];
  const mounts = all.flatMap(({ volumeMounts }) => volumeMounts ?? []);
  const dropped = new Set(mounts.filter(isCertificate).map(({ name }) => name));
  const kept = new Set(mounts.filter((mount) => !isCertificate(mount)).map(({ name }) => name));
  const strip = (container: Container): Container =>
    container.volumeMounts
      ? { ...container, volumeMounts: container.volumeMounts.filter((mount) => !isCertificate(mount)) }
      : container;
  return {
    ...pod,
    ...(pod.containers ? { containers: pod.containers.map(strip) } : {}),
    ...(pod.initContainers ? { initContainers: pod.initContainers.map(strip) } : {}),
    ...(pod.volumes ? { volumes: pod.volumes.filter(({ name }) => !dropped.has(name) || kept.has(name)) } : {}),
  };
}

/** Reads the watched namespaces from the annotation that OLM writes for the OperatorGroup. */
function watchTargetNamespaces(pod: PodSpec): PodSpec {
  const valueFrom = { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } };
  const watch = (variable: EnvVar): EnvVar =>
    variable.name === "WATCH_NAMESPACE" ? { name: variable.name, valueFrom } : variable;
  const withResources = (container: Container): Container => ({ resources: {}, ...container });
  return {
    ...pod,
    containers: (pod.containers ?? []).map((container) =>
      withResources(container.env ? { ...container, env: container.env.map(watch) } : container),
    ),
    ...(pod.initContainers ? { initContainers: pod.initContainers.map(withResources) } : {}),
  };
}

interface Found extends RelatedImage {
  readonly container: string;
}

/** Returns the images of `RELATED_IMAGE_…` variables, followed by those that the base lists. */
export function relatedImages(
  deployments: readonly Deployment[],
  base: readonly RelatedImage[],
  warn: (text: string) => void,
): RelatedImage[] {
  const found = deployments.flatMap(imagesOf);
  const distinct = found.filter(
    ({ name, image }, index) => found.findIndex((other) => other.name === name && other.image === image) === index,
  );
  const isAmbiguous = ({ name }: Found): boolean => distinct.filter((other) => other.name === name).length > 1;
  const named = distinct.map((item) => ({
    name: isAmbiguous(item) ? `${item.container}-${item.name}` : item.name,
    image: item.image,
  }));
  const merged = onePerImage(named, warn);
  return [...merged, ...base.filter(({ image }) => !merged.some((other) => other.image === image))];
}

const prefix = "RELATED_IMAGE_";

function imagesOf({ metadata, spec }: Deployment): Found[] {
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  return [...containers, ...initContainers].flatMap((container) => {
    const variables = (container.env ?? []).filter(({ name }) => name.startsWith(prefix));
    return variables.map((variable) => {
      if (variable.valueFrom) {
        const facts = { variable: variable.name, container: container.name };
        throw new TsopError("TSOP_BUNDLE_RELATED_IMAGE", facts);
      }
      const name = variable.name.slice(prefix.length).toLowerCase().replaceAll("_", "-");
      const several = containers.length + initContainers.length > 1;
      const place = several ? `${metadata.name}-${container.name}` : (metadata.name ?? "");
      return { name, image: String(variable.value ?? ""), container: place };
    });
  });
}

/** Keeps one entry for each image, as OLM requires; if an image has several names, none is used. */
function onePerImage(images: readonly RelatedImage[], warn: (text: string) => void): RelatedImage[] {
  const result: RelatedImage[] = [];
  for (const { image } of images) {
    if (result.some((other) => other.image === image)) continue;
    const names = images.filter((other) => other.image === image).map(({ name }) => name);
    if (names.length > 1)
      warn(`image ${image} is a related image with several names (${names.join(", ")}): it is listed without a name`);
    result.push({ name: names.length > 1 ? "" : names[0]!, image });
  }
  return result;
}
