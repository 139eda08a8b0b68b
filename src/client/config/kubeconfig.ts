import { basename, dirname, isAbsolute, join } from "node:path";
import { isObject } from "../../apimachinery/is-object.ts";
import type { AuthProviderConfig, ClientConfig, ExecConfig, Impersonation, UserConfig } from "./config.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { fieldError } from "./kubeconfig-fields.ts";
import { readWebhookCertificate } from "./webhook-certificate.ts";

/** The parts of a kubeconfig that define the connection. Later files of KUBECONFIG add entries and override none. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, Fields>;
  readonly users: ReadonlyMap<string, Fields>;
  readonly contexts: ReadonlyMap<string, Fields>;
}

type Fields = Readonly<Record<string, unknown>>;

const fileFields = ["certificate-authority", "client-certificate", "client-key", "tokenFile"] as const;

/** Reads a parsed kubeconfig document. Relative paths in it are relative to `file`. */
export function readKubeconfig(document: unknown, file: string): Kubeconfig {
  const root = document ?? {};
  if (!isObject(root)) {
    throw invalid(file, "it is not a mapping");
  }
  const { apiVersion = "v1", kind = "Config", "current-context": currentContext } = root;
  if (currentContext !== undefined && currentContext !== null && typeof currentContext !== "string") {
    throw invalid(file, "current-context is not a string");
  }
  if (apiVersion !== "v1" || kind !== "Config") {
    throw invalid(file, `it has kind ${String(kind)} (${String(apiVersion)}), not Config (v1)`);
  }
  const section = (list: string, item: string): Map<string, Fields> => namedEntries(root[list], { file, list, item });
  return {
    currentContext: text(root["current-context"]) ?? "",
    clusters: section("clusters", "cluster"),
    users: section("users", "user"),
    contexts: section("contexts", "context"),
  };
}

/** Merges kubeconfigs as kubectl does: the first file wins for each name and for the current context. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const firstWins = (pick: (config: Kubeconfig) => ReadonlyMap<string, Fields>): Map<string, Fields> =>
    new Map(configs.toReversed().flatMap((config) => [...pick(config)]));
  return {
    currentContext: configs.find((config) => config.currentContext)?.currentContext ?? "",
    clusters: firstWins((config) => config.clusters),
    users: firstWins((config) => config.users),
    contexts: firstWins((config) => config.contexts),
  };
}

/** Returns the cluster and user of a context. */
export function resolveContext(config: Kubeconfig, source: string, wanted?: string): ClientConfig {
  const name = wanted ?? config.currentContext;
  if (!name) throw noContext(config.contexts, source);
  const find = (what: "context" | "cluster" | "user", wantedName: string): Fields => {
    const entries = config[`${what}s`];
    const entry = entries.get(wantedName);
    if (entry) return entry;
    const facts = { file: source, what, name: wantedName || '""', known: list(entries) };
    throw new TsopError("TSOP_CONTEXT_NOT_FOUND", facts);
  };
  const context = find("context", name);
  const cluster = find("cluster", text(context["cluster"]) ?? "");
  const userName = text(context["user"]);
  const user = userName ? find("user", userName) : {};
  const reason = missing(context, cluster, user);
  if (reason) throw invalid(source, reason);
  return {
    ...clusterFields(cluster),
    ...userFields(user),
    ...optional("exec", execConfig(user["exec"], cluster)),
    namespace: text(context["namespace"]) ?? "default",
    source: `context ${name} of ${source}`,
  };
}

/** Returns the part that a context needs and that is missing. */
function missing(context: Fields, cluster: Fields, user: Fields): string | undefined {
  const [its, their] = [`cluster ${text(context["cluster"])}`, `user ${text(context["user"])}`];
  const server = text(cluster["server"]);
  if (!server) return `${its} has no server`;
  if (!/^https?:\/\/./.test(server) || !URL.canParse(server)) {
    return `server of ${its} is "${server}", which is not the URL of an API server: https://host:port`;
  }
  const hasAuthority = text(cluster["certificate-authority"]) ?? text(cluster["certificate-authority-data"]);
  if (cluster["insecure-skip-tls-verify"] === true && hasAuthority) {
    return `${its} has both certificate-authority and insecure-skip-tls-verify, which ignores it`;
  }
  return wrongUser(user, their);
}

function wrongUser(user: Fields, their: string): string | undefined {
  const has = (name: string): boolean => Boolean(text(user[name]) ?? text(user[`${name}-data`]));
  if (has("client-certificate") && !has("client-key")) return `${their} has a client-certificate, but no client-key`;
  if (has("token") && (has("username") || has("password"))) {
    return `${their} has both a token and a user name with a password`;
  }
  const more = ["as-uid", "as-groups", "as-user-extra"].find((name) => user[name]);
  if (more && !has("as")) return `${their} has ${more}, but no user name to impersonate`;
  const exec = user["exec"] as Fields | undefined | null;
  if (!exec) return undefined;
  if (user["auth-provider"]) return `${their} has both an exec program and an auth-provider`;
  for (const name of ["apiVersion", "command"]) if (!text(exec[name])) return `exec of ${their} has no ${name}`;
  const mode = text(exec["interactiveMode"]);
  if (mode && !["Never", "IfAvailable", "Always"].includes(mode)) {
    return `interactiveMode of ${their} is ${mode}, not Never, IfAvailable or Always`;
  }
  const env = (exec["env"] ?? []) as unknown;
  const isPair = (each: Fields | null): boolean =>
    typeof each?.["name"] === "string" && typeof each["value"] === "string";
  if (!Array.isArray(env) || !(env as Fields[]).every(isPair))
    return `env of ${their} is not a list of names with values`;
  return undefined;
}

function namedEntries(entries: unknown, at: { file: string; list: string; item: string }): Map<string, Fields> {
  const { file, list, item } = at;
  const result = new Map<string, Fields>();
  if (entries === undefined || entries === null) return result;
  if (!Array.isArray(entries)) throw invalid(file, `${list} is not a list`);
  for (const entry of entries as (Fields | null)[]) {
    const name = text(entry?.["name"]);
    if (name === undefined) throw invalid(file, `an entry of ${list} has no name`);
    const error = fieldError(item, entry?.[item]);
    if (error) throw invalid(file, `${error} (${name} in ${list})`);
    if (result.has(name)) throw invalid(file, `${list} contains the name ${name} twice`);
    result.set(name, absolutePaths((entry?.[item] ?? {}) as Fields, dirname(file)));
  }
  return result;
}

function invalid(file: string, reason: string): TsopError {
  return new TsopError("TSOP_KUBECONFIG_INVALID", { file, reason });
}

function absolutePaths(fields: Fields, folder: string): Fields {
  const result: Record<string, unknown> = { ...fields };
  for (const field of fileFields) {
    const path = text(fields[field]);
    if (path) result[field] = isAbsolute(path) ? path : join(folder, path);
  }
  const exec = fields["exec"] as Fields | undefined;
  const command = text(exec?.["command"]);
  // A command with a separator is a path; others are looked up in PATH.
  if (exec && command && basename(command) !== command && !isAbsolute(command)) {
    result["exec"] = { ...exec, command: join(folder, command) };
  }
  return result;
}

function noContext(contexts: Kubeconfig["contexts"], file: string): TsopError {
  const [first] = contexts.keys();
  const hint = first
    ? `choose one, as by --context ${first}, or by current-context: ${first} in the file`
    : "name the kubeconfig of a cluster by --kubeconfig or KUBECONFIG";
  return new TsopError("TSOP_NO_CONTEXT", { file, known: list(contexts), hint });
}

function list(entries: ReadonlyMap<string, Fields>): string {
  return [...entries.keys()].join(", ") || "none";
}

function clusterFields(cluster: Fields): Omit<ClientConfig, "namespace" | "source"> {
  const ca = decode(cluster["certificate-authority-data"]);
  return {
    server: text(cluster["server"]) ?? "",
    ...(ca === undefined ? optional("caFile", text(cluster["certificate-authority"])) : { ca }),
    ...optional("tlsServerName", text(cluster["tls-server-name"])),
    ...optional("proxyUrl", text(cluster["proxy-url"])),
    ...optional("webhookCertificate", readWebhookCertificate(cluster)),
    ...(cluster["insecure-skip-tls-verify"] === true ? { insecureSkipTlsVerify: true } : {}),
  };
}

function userFields(user: Fields): UserConfig {
  const cert = decode(user["client-certificate-data"]);
  const key = decode(user["client-key-data"]);
  return {
    ...(cert === undefined ? optional("certFile", text(user["client-certificate"])) : { cert }),
    ...(key === undefined ? optional("keyFile", text(user["client-key"])) : { key }),
    ...optional("token", text(user["token"])),
    ...optional("tokenFile", text(user["tokenFile"])),
    ...optional("username", text(user["username"])),
    ...optional("password", text(user["password"])),
    ...optional("impersonate", impersonation(user)),
    ...optional("authProvider", authProvider(user["auth-provider"])),
  };
}

function authProvider(provider: unknown): AuthProviderConfig | undefined {
  if (typeof provider !== "object" || provider === null) return undefined;
  const fields = provider as Fields;
  return { name: text(fields["name"]) ?? "", config: (fields["config"] as Fields | null | undefined) ?? {} };
}

function impersonation(user: Fields): Impersonation | undefined {
  const name = text(user["as"]);
  if (!name) return undefined;
  return {
    user: name,
    ...optional("uid", text(user["as-uid"])),
    ...optional("groups", user["as-groups"] as string[] | undefined),
    ...optional("extra", user["as-user-extra"] as Record<string, string[]> | undefined),
  };
}

function execConfig(exec: unknown, cluster: Fields): ExecConfig | undefined {
  if (typeof exec !== "object" || exec === null) return undefined;
  const fields = exec as Fields;
  return {
    apiVersion: text(fields["apiVersion"]) ?? "client.authentication.k8s.io/v1",
    command: text(fields["command"]) ?? "",
    args: (fields["args"] as string[] | null | undefined) ?? [],
    env: (fields["env"] as { name: string; value: string }[] | null | undefined) ?? [],
    interactiveMode: (text(fields["interactiveMode"]) as ExecConfig["interactiveMode"] | undefined) ?? "IfAvailable",
    ...optional("installHint", text(fields["installHint"])),
    ...(fields["provideClusterInfo"] === true ? { cluster: execCluster(cluster) } : {}),
  };
}

/** Returns the cluster without kubectl's own fields; an extension can hold settings for the program. */
function execCluster(cluster: Fields): Fields {
  const { extensions, ...rest } = cluster;
  const entries = (extensions ?? []) as { name?: string; extension?: unknown }[];
  const config = entries.find(({ name }) => name === "client.authentication.k8s.io/exec")?.extension;
  return config === undefined ? rest : { ...rest, config };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function decode(value: unknown): string | undefined {
  const data = text(value);
  return data === undefined ? undefined : Buffer.from(data, "base64").toString("utf8");
}

/** Returns an object without the field if it is absent, as exactOptionalPropertyTypes requires. */
function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
}
