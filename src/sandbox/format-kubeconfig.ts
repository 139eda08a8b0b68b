import { emitYaml } from "../apimachinery/yaml/emit.ts";
import type { ClientConfig } from "../client/config/config.ts";
import { kubeconfigExtension, webhookCertificateFields } from "../client/config/webhook-certificate.ts";

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
