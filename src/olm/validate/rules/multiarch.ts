import type { Bundle } from "../../bundle/bundle.ts";
import { podsOf, type PodSpec } from "../../csv/csv.ts";
import type { Report, Rule } from "../finding.ts";

/** Checks that the images support the platforms in the CSV's labels. */
export const checkMultiarch: Rule = (bundle, report, options) => {
  const tool = options["container-tools"] ?? "docker";
  if (!["docker", "podman", "none"].includes(tool)) {
    const detail = "the optional value container-tools must be docker, podman or none";
    return report("error", "container-tools", detail, { value: tool });
  }
  const platforms = readPlatforms(options.platforms ?? new Map(), report);
  const pods = podsOf(bundle.csv);
  const labels = supportedPlatforms(bundle);
  checkLabels(labels, platforms, report);
  const managers = managerImages(pods);
  const ofManagers = [...platforms].flatMap(([image, list]) => (managers.has(image) ? list : []));
  for (const part of ["os", "arch"] as const) {
    const wanted = new Set(ofManagers.map((platform) => partOf(platform, part)));
    checkManagers(wanted, labels, { part, report });
    checkOthers(wanted, new Map([...platforms].filter(([image]) => !managers.has(image))), { part, report });
  }
  for (const pod of pods) checkAffinity(pod, platforms, report);
};

/** Returns the images that a CSV installs or lists. */
export function imagesOfCsv({ csv }: Pick<Bundle, "csv">): string[] {
  const installed = podsOf(csv).flatMap((pod) => (pod.containers ?? []).flatMap(({ image }) => image ?? []));
  return [...new Set([...installed, ...(csv.spec.relatedImages ?? []).map(({ image }) => image)])];
}

type Platforms = ReadonlyMap<string, readonly string[]>;

interface Part {
  readonly part: "os" | "arch";
  readonly report: Report;
}

function readPlatforms(found: ReadonlyMap<string, readonly string[] | string>, report: Report): Platforms {
  const known = new Map<string, readonly string[]>();
  for (const [image, platforms] of found) {
    if (typeof platforms !== "string") known.set(image, platforms);
    else report("warning", "image-unknown", `its platforms cannot be read: ${platforms}`, { value: image });
  }
  return known;
}

/** Returns the platforms in the labels; by default linux and amd64. */
function supportedPlatforms({ csv }: Bundle): Record<"os" | "arch", readonly string[]> {
  const labelled = (part: string): string[] =>
    Object.entries(csv.metadata.labels ?? {}).flatMap(([key, value]) =>
      value === "supported" && key.startsWith(`operatorframework.io/${part}.`)
        ? [key.slice(key.lastIndexOf(".") + 1)]
        : [],
    );
  const [arch, os] = [labelled("arch"), labelled("os")];
  return { arch: arch.length > 0 ? arch : ["amd64"], os: os.length > 0 ? os : ["linux"] };
}

function checkLabels(
  { os, arch }: Record<"os" | "arch", readonly string[]>,
  platforms: Platforms,
  report: Report,
): void {
  for (const platform of os.flatMap((os) => arch.map((arch) => `${os}/${arch}`))) {
    const without = [...platforms].filter(([, list]) => !list.includes(platform)).map(([image]) => image);
    if (without.length === 0) continue;
    const detail = `a label declares this platform, but these images do not support it: ${without.join(", ")}`;
    report("error", "platform-missing", detail, { value: platform });
  }
}

/** Returns the images of containers named manager, or else of all but the proxy. */
function managerImages(pods: readonly PodSpec[]): Set<string> {
  const containers = pods.flatMap(({ containers = [] }) => containers);
  const named = containers.filter(({ name }) => name === "manager");
  const managers = named.length > 0 ? named : containers.filter(({ name }) => name !== "kube-rbac-proxy");
  return new Set(managers.flatMap(({ image }) => image ?? []));
}

function checkManagers(
  wanted: ReadonlySet<string>,
  labels: Record<"os" | "arch", readonly string[]>,
  { part, report }: Part,
): void {
  for (const name of wanted) {
    if (labels[part].includes(name)) continue;
    const detail = `the manager's image supports it, but the label operatorframework.io/${part}.${name} is missing`;
    report("warning", "platform-unlabelled", detail, { value: name });
  }
}

function checkOthers(wanted: ReadonlySet<string>, others: Platforms, { part, report }: Part): void {
  for (const [image, list] of others) {
    const missing = [...wanted].filter((name) => !list.some((platform) => partOf(platform, part) === name));
    if (missing.length === 0) continue;
    report("warning", "platform-of-others", `does not support the manager's ${missing.join(", ")}`, { value: image });
  }
}

interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms?: readonly {
        readonly matchExpressions?: readonly { key: string; operator: string; values?: string[] }[];
      }[];
    };
  };
}

/** Checks that Pods are not scheduled to nodes that their images do not support. */
function checkAffinity(pod: PodSpec, platforms: Platforms, report: Report): void {
  const { nodeAffinity } = (pod["affinity"] ?? {}) as Affinity;
  const terms = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const valuesOf = (part: string): string[] =>
    terms.flatMap(({ matchExpressions = [] }) =>
      matchExpressions.flatMap(({ key, operator, values = [] }) =>
        key === `kubernetes.io/${part}` && operator === "In" ? values : [],
      ),
    );
  const allowed = valuesOf("os").flatMap((os) => valuesOf("arch").map((arch) => `${os}/${arch}`));
  for (const { image = "" } of pod.containers ?? []) {
    const list = platforms.get(image);
    if (!list) continue;
    const warn = (detail: string): void => report("warning", "node-affinity", detail, { value: image });
    const differs = allowed
      .filter((platform) => !list.includes(platform))
      .concat(list.filter((platform) => !allowed.includes(platform)));
    if (allowed.length === 0) warn("the pod has no node affinity to kubernetes.io/os and kubernetes.io/arch");
    else if (differs.length > 0) warn(`the pod's node affinity and the image differ in ${differs.join(", ")}`);
  }
}

function partOf(platform: string, part: "os" | "arch"): string {
  return platform.split("/")[part === "os" ? 0 : 1] ?? "";
}
