import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isObject } from "../../apimachinery/is-object.ts";
import type { Named } from "../../apimachinery/meta.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { readConfigs } from "../../client/config/read-configs.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { ClusterProfile, ProfileAccess } from "./cluster-profile.ts";

/** A program that gets credentials for the clusters of profiles that name it. */
interface AccessProvider {
  readonly name: string;
  /** As in a kubeconfig. */
  readonly execConfig: Readonly<Record<string, unknown>> & { readonly args?: string[] | null; readonly env?: Variable[] | null }; // prettier-ignore
  /** Whether a profile may add arguments. */
  readonly profileSourcedCLIArgsPolicy?: "Append" | "Ignore";
  /** Whether a profile may add variables, and which value wins. */
  readonly profileSourcedEnvVarsPolicy?: "AppendIfNotExists" | "Replace" | "Ignore";
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

const additional = "clusterprofiles.multicluster.x-k8s.io/exec/additional-";

/** Reads the file that Go programs name with `--clusterprofile-provider-file`. */
export async function readAccessProviders(path: string): Promise<readonly AccessProvider[]> {
  try {
    const document = JSON.parse(await readFile(path, "utf8")) as { providers?: AccessProvider[] } | null;
    const providers = document?.providers;
    const isProvider = (each: unknown): boolean => isObject(each) && isObject(each["execConfig"]);
    if (Array.isArray(providers) && providers.every(isProvider)) return providers;
    throw new Error("it has no list of providers, each with a name and an execConfig");
  } catch (error) {
    throw new TsopError("TSOP_FLEET_PROVIDER_FILE", { path, reason: messageOf(error) }, { cause: error });
  }
}

/**
 * Returns the connection by the first provider that the status of a profile names; `undefined` if it names none. The
 * profile names the server, the operator's file names the program: authors of profiles cannot choose what runs here.
 */
export function accessConfig(
  profile: Named<ClusterProfile>,
  providers: readonly AccessProvider[],
): ClientConfig | undefined {
  const { accessProviders = [], credentialProviders = [] } = profile.status ?? {};
  for (const provider of providers) {
    const access = [...accessProviders, ...credentialProviders].find(({ name }) => name === provider.name);
    if (!access) continue;
    const source = `ClusterProfile ${profile.metadata.namespace}/${profile.metadata.name}`;
    return readConfigs(JSON.stringify(kubeconfigOf(provider, access)), source).current();
  }
  return undefined;
}

function kubeconfigOf(provider: AccessProvider, { name, cluster = {} }: ProfileAccess): object {
  const { server, extensions, "certificate-authority-data": ca, "proxy-url": proxy } = cluster;
  const user = { exec: execOf(provider, cluster) };
  return {
    "current-context": name,
    // Other fields, such as files, refer to the machine that wrote the profile.
    clusters: [{ name, cluster: { server, extensions, "certificate-authority-data": ca, "proxy-url": proxy } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
}

function execOf(
  { execConfig, profileSourcedCLIArgsPolicy: argsPolicy, profileSourcedEnvVarsPolicy: envPolicy }: AccessProvider,
  { extensions = [] }: NonNullable<ProfileAccess["cluster"]>,
): object {
  const { command, args, env } = execConfig;
  const find = (what: string): unknown => extensions.find(({ name }) => name === additional + what)?.extension;
  const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const added = (envPolicy ?? "Ignore") === "Ignore" ? {} : ((find("envs") ?? {}) as Record<string, string>);
  const variables = envPolicy === "Replace" ? { ...own, ...added } : { ...added, ...own };
  const isPath = typeof command === "string" && command.includes("/");
  return {
    ...execConfig,
    // As in Go, a path is relative to the working directory, not to the file.
    command: isPath ? resolve(command) : command,
    args: [...(args ?? []), ...(argsPolicy === "Append" ? ((find("args") ?? []) as string[]) : [])],
    env: Object.entries(variables).map(([name, value]) => ({ name, value })),
    interactiveMode: "Never",
  };
}
