import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** The manifests of an operator, with the parts that the chart fills in. */
export interface Subject {
  /** The name of the project and of the chart. */
  readonly name: string;
  readonly objects: readonly UnstructuredObject[];
  /** Objects of `config/` that kustomize does not build, and that the chart can add. */
  readonly extra: readonly UnstructuredObject[];
  readonly manager: UnstructuredObject;
  readonly container: Container;
  readonly pod: PodSpec;
  readonly namespace: string;
  /** The prefix of the names, such as `shop-`. */
  readonly prefix: string;
  /** The port of the metrics; absent if the operator serves none. */
  readonly metrics: { readonly port: number; readonly secure: boolean } | undefined;
  /** The ports of the other servers, if an argument sets them. */
  readonly ports: { readonly webhook: number | undefined; readonly health: number | undefined };
  /** Names of the Secrets that cert-manager fills. */
  readonly certificates: ReadonlySet<string>;
}

export interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string }[];
  readonly volumeMounts?: readonly { readonly name: string }[];
  readonly [field: string]: unknown;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly serviceAccountName?: string;
  readonly volumes?: readonly { readonly name: string; readonly secret?: { readonly secretName?: string } }[];
  readonly [field: string]: unknown;
}

/** Finds the operator among the objects that kustomize has built. `file` is their file in messages. */
export function readSubject(name: string, objects: readonly UnstructuredObject[], file: string): Subject {
  const deployments = objects.filter(({ kind }) => kind === "Deployment");
  const manager = deployments.find((one) => one.metadata.labels?.["control-plane"]) ?? deployments[0];
  const pod = manager && podOf(manager);
  const container = pod?.containers.find((one) => one.name === "manager") ?? pod?.containers[0];
  if (!manager || !pod || !container) throw new TsopError("TSOP_HELM_NO_MANAGER", { file });
  return {
    name,
    objects,
    extra: [],
    manager,
    pod,
    container,
    namespace: manager.metadata.namespace ?? "default",
    prefix: prefixOf(manager.metadata.name ?? "", name),
    metrics: metricsOf(container.args ?? []),
    ports: {
      webhook: portOf(container.args, /^--webhook-port=(\d+)$/),
      health: portOf(container.args, /^--health-probe-bind-address=.*:(\d+)$/),
    },
    certificates: new Set(objects.flatMap(secretOf)),
  };
}

function podOf(deployment: UnstructuredObject): PodSpec | undefined {
  return (deployment["spec"] as { template?: { spec?: PodSpec } } | undefined)?.template?.spec;
}

/** The name prefix of config/default is that of the manager's name. */
function prefixOf(manager: string, project: string): string {
  const prefix = manager.replace(/controller-manager$/, "");
  return prefix === manager || prefix === "" ? `${project}-` : prefix;
}

function metricsOf(args: readonly string[]): Subject["metrics"] {
  const address = args.find((arg) => arg.startsWith("--metrics-bind-address="));
  const port = Number(/:(\d+)$/.exec(address ?? "")?.[1] ?? 0);
  return port === 0 ? undefined : { port, secure: !args.includes("--metrics-secure=false") };
}

function portOf(args: readonly string[] = [], pattern: RegExp): number | undefined {
  return args.map((arg) => Number(pattern.exec(arg)?.[1] ?? 0)).find((port) => port > 0);
}

function secretOf({ apiVersion, kind, ...object }: UnstructuredObject): string[] {
  if (kind !== "Certificate" || !apiVersion?.startsWith("cert-manager.io/")) return [];
  const { secretName } = object["spec"] as { secretName?: string };
  return secretName === undefined ? [] : [secretName];
}
