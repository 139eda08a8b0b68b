import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { connect } from "node:tls";
import { TsopError } from "../../errors/tsop-error.ts";
import { diskReason } from "../../files/disk-reason.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { readIfThere, writeWhole } from "./write-whole.ts";
import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { kubeconfigExtension, webhookCertificateFields } from "../../client/config/webhook-certificate.ts";

/** The file of a sandbox's kubeconfig. */
interface KubeconfigFile {
  write(text: string): Promise<void>;
  /** Removes the file, unless another server has replaced it. */
  remove(url: string): Promise<void>;
}

/**
 * Checks that a kubeconfig can be written to a path. A file that no sandbox wrote, or whose server still runs, is never
 * replaced.
 */
export async function openKubeconfigFile(file: string): Promise<KubeconfigFile> {
  await makeFolder(dirname(file));
  const text = readText(file);
  if (text.trim() !== "" && !isOfSandbox(text)) throw new TsopError("TSOP_KUBECONFIG_FOREIGN", { file });
  const url = await runningServer(text);
  if (url !== undefined) throw new TsopError("TSOP_KUBECONFIG_IN_USE", { file, url });
  return {
    async write(kubeconfig) {
      try {
        await writeWhole(file, kubeconfig);
      } catch (cause) {
        throw unusable(file, cause);
      }
    },
    async remove(url) {
      // kubectl may have changed the file, as `kubectl config set-context` does.
      if (readText(file).includes(url)) await rm(file, { force: true });
    },
  };
}

function readText(file: string): string {
  try {
    return readIfThere(file)?.toString() ?? "";
  } catch (cause) {
    throw unusable(file, cause);
  }
}

/** Reports whether everything in a kubeconfig is named `tsop`, in YAML or JSON. */
function isOfSandbox(text: string): boolean {
  const names = [...text.matchAll(/"?\bname"?: *"?([^",\n]*)/g)].map(([, name]) => name);
  return names.length >= 3 && names.every((name) => name === "tsop");
}

/** Returns the URL in a sandbox's kubeconfig if a server with a certificate of its authority listens there. */
async function runningServer(text: string): Promise<string | undefined> {
  const url = /"?server"?: *"?(https:\/\/[^",\s]+)/.exec(text)?.[1];
  const ca = /"?certificate-authority-data"?: *"?([\w+/=]+)/.exec(text)?.[1];
  if (url === undefined || ca === undefined || !URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ca: Buffer.from(ca, "base64"), timeout: 1000 });
  const isRunning = await new Promise<boolean>((resolve) => {
    socket.once("secureConnect", () => resolve(true));
    for (const failure of ["error", "timeout"]) socket.once(failure, () => resolve(false));
  });
  socket.destroy();
  return isRunning ? url : undefined;
}

function unusable(file: string, cause: unknown): TsopError {
  return new TsopError("TSOP_FILE_UNUSABLE", { file, reason: diskReason(cause) }, { cause });
}

/** Formats a kubeconfig with one context, as kubectl writes it. Credentials in files stay in their files. */
export function formatKubeconfig(config: ClientConfig): string {
  const name = "tsop";
  const base64 = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text).toString("base64"));
  const { webhookCertificate } = config;
  const cluster = {
    server: config.server,
    "certificate-authority-data": base64(config.ca),
    "certificate-authority": config.caFile,
    "insecure-skip-tls-verify": config.insecureSkipTlsVerify,
    "tls-server-name": config.tlsServerName,
    "proxy-url": config.proxyUrl,
    extensions: webhookCertificate && [
      {
        name: kubeconfigExtension,
        extension: {
          [webhookCertificateFields.cert]: base64(webhookCertificate.cert),
          [webhookCertificateFields.key]: base64(webhookCertificate.key),
        },
      },
    ],
  };
  const user = {
    "client-certificate-data": base64(config.cert),
    "client-key-data": base64(config.key),
    "client-certificate": config.certFile,
    "client-key": config.keyFile,
    token: config.token,
    tokenFile: config.tokenFile,
    username: config.username,
    password: config.password,
    as: config.impersonate?.user,
    "as-uid": config.impersonate?.uid,
    "as-groups": config.impersonate?.groups,
    "as-user-extra": config.impersonate?.extra,
    exec: config.exec && { ...config.exec, provideClusterInfo: config.exec.cluster !== undefined, cluster: undefined },
  };
  return emitYaml({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: config.namespace } }],
  });
}

/** Returns the command after which kubectl uses a kubeconfig; on Windows, in the syntax of PowerShell. */
export function kubeconfigCommand(file: string): string {
  if (process.platform === "win32") return `$env:KUBECONFIG = '${file.replaceAll("'", "''")}'`;
  return `export KUBECONFIG=${quoteWord(file)}`;
}

/** Quotes a word for a shell. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
