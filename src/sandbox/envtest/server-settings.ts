import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "../../apimachinery/certificates/issue-certificates.ts";
import { findKubernetesVersion } from "../../apimachinery/kubernetes-version.ts";
import { packageFile } from "../../apimachinery/package-file.ts";
import { messageOf } from "../../errors/message-of.ts";
import { FlagError, type FlagTypes, type GivenFlags } from "./parse-flags.ts";

/** What the command line of kube-apiserver asks of the embedded server. */
export interface ServerSettings {
  /** The version of Kubernetes that answers. */
  readonly kubernetesVersion: string | undefined;
  readonly host: string;
  readonly port: number;
  /** The folder that receives a new certificate if there is none. */
  readonly certificateFolder: string | undefined;
  readonly certificate: Certificate | undefined;
  readonly clientAuthority: string | undefined;
  readonly rbac: boolean;
  /** True if pods get service accounts. */
  readonly accounts: boolean;
  /** Flags that would change answers of kube-apiserver, and change none here. */
  readonly withoutEffect: readonly string[];
}

/** The flags and admission plugins of kube-apiserver. */
interface KnownFlags {
  readonly flags: FlagTypes;
  readonly plugins: { readonly default: readonly string[]; readonly all: readonly string[] };
}

/** Reads what is recorded of kube-apiserver. */
export function readKnownFlags(): KnownFlags {
  return JSON.parse(readFileSync(packageFile("src/sandbox/envtest/flags.json"), "utf8")) as KnownFlags;
}

/** Flags that decide about answers, or about what kube-apiserver does with them. Others are about its resources. */
const deciding = `admission-control admission-control-config-file anonymous-auth api-audiences audit-log-path
  audit-webhook-config-file authentication-config authentication-token-webhook-config-file authorization-config
  authorization-policy-file authorization-webhook-config-file cors-allowed-origins default-not-ready-toleration-seconds
  default-unreachable-toleration-seconds enable-bootstrap-token-auth event-ttl feature-gates
  kubernetes-service-node-port oidc-issuer-url requestheader-client-ca-file runtime-config service-account-issuer service-account-jwks-uri
  service-account-max-token-expiration service-account-signing-endpoint service-cluster-ip-range
  service-node-port-range tls-sni-cert-key token-auth-file`.split(/\s+/);

const modes = ["AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC", "Node"];

/** Reads the settings from flags, and the files that they name. Refuses what kube-apiserver refuses, in its words. */
export function serverSettings(given: GivenFlags, { plugins }: KnownFlags): ServerSettings {
  const last = (name: string): string | undefined => given.get(name)?.at(-1) || undefined;
  const listed = (name: string): string[] => (given.get(name) ?? []).flatMap((text) => text.split(","));
  const enabled = listed("enable-admission-plugins");
  const disabled = listed("disable-admission-plugins");
  const authorization = given.has("authorization-mode") ? listed("authorization-mode") : ["AlwaysAllow"];
  const port = Number(last("secure-port") ?? 6443);
  const problems = [
    !given.has("etcd-servers") && "--etcd-servers must be specified",
    // kube-apiserver refuses 0, too. Here, it takes a free port, as nobody can know one in advance.
    (port < 0 || port > 65535) &&
      `--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`,
    ...other(enabled, plugins.all).map((name) => `enable-admission-plugins plugin "${name}" is unknown`),
    ...other(disabled, plugins.all).map((name) => `disable-admission-plugins plugin "${name}" is unknown`),
    ...other(authorization, modes).map((mode) => `authorization-mode "${mode}" is not a valid mode`),
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new FlagError(problems.length > 1 ? `[${problems.join(", ")}]` : problems[0]);
  const clientAuthority = last("client-ca-file");
  const folder = last("cert-dir");
  const isOn = (plugin: string): boolean => plugins.default.includes(plugin);
  const isOff = (plugin: string): boolean => disabled.includes(plugin) && !enabled.includes(plugin);
  const emulated = last("emulated-version")?.replace(/^kube=/, "");
  const version = emulated === undefined ? undefined : findKubernetesVersion(emulated);
  return {
    kubernetesVersion: version,
    host: last("bind-address") ?? "127.0.0.1",
    port,
    certificateFolder: folder,
    certificate: readCertificate(last("tls-cert-file"), last("tls-private-key-file"), folder),
    clientAuthority: clientAuthority === undefined ? undefined : readFile(clientAuthority),
    rbac: !authorization.includes("AlwaysAllow"),
    accounts: !isOff("ServiceAccount"),
    withoutEffect: [
      ...each("emulated-version", emulated === undefined || version ? [] : [emulated]),
      ...deciding.filter((name) => given.has(name)).map((name) => `--${name}`),
      ...each("allow-privileged", last("allow-privileged") === "true" ? [] : ["false"]),
      ...each("authorization-mode", other(authorization, ["RBAC", "AlwaysAllow"])),
      ...each("enable-admission-plugins", other(enabled, plugins.default)),
      ...each(
        "disable-admission-plugins",
        other(disabled, ["ServiceAccount"]).filter((name) => isOn(name) && isOff(name)),
      ),
    ],
  };
}

function other(names: readonly string[], known: readonly string[]): string[] {
  return names.filter((name) => !known.includes(name));
}

function each(flag: string, values: readonly string[]): string[] {
  return values.map((value) => `--${flag}=${value}`);
}

/** Reads the certificate of the flags, or the one that envtest has put into the folder. */
function readCertificate(cert?: string, key?: string, folder?: string): Certificate | undefined {
  if (cert !== undefined && key !== undefined) return { cert: readFile(cert), key: readFile(key) };
  if (folder === undefined) return undefined;
  try {
    const [certificate, secret] = ["apiserver.crt", "apiserver.key"].map((name) => readFile(join(folder, name)));
    return { cert: certificate!, key: secret! };
  } catch {
    return undefined;
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new FlagError(messageOf(cause), { cause });
  }
}
