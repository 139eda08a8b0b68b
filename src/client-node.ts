/**
 * The bridge to @kubernetes/client-node, for features that tsop's own client lacks: exec, logs, port-forward, typed
 * APIs. That package is an optional peer: it is loaded on demand, and its types are not part of tsop's.
 *
 * @module tsop/client-node
 */
import type { ClientConfig } from "./client/config/config.ts";
import {
  loadClientNode,
  type ClientNodeModule,
  type KubeConfigLike,
  type KubeConfigOptions,
} from "./client/config/load-client-node.ts";

export type { ClientNodeModule, KubeConfigLike, KubeConfigOptions } from "./client/config/load-client-node.ts";

/**
 * Returns client-node's KubeConfig for the cluster of a ClientConfig. Pass the module to get its own type: `await
 * toKubeConfig(config, await import("@kubernetes/client-node"))`; without it, the bridge loads the package, and throws
 * a TsopError if it is not installed.
 *
 * @example
 * const kubeConfig = await toKubeConfig(await loadConfig({ context: "staging" }));
 */
export async function toKubeConfig<K extends KubeConfigLike>(
  config: ClientConfig,
  clientNode?: ClientNodeModule<K>,
): Promise<K> {
  const { KubeConfig } = clientNode ?? ((await loadClientNode()) as unknown as ClientNodeModule<K>);
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions(kubeConfigOptions(config));
  return kubeConfig;
}

/**
 * Returns the configuration as plain data, for `new KubeConfig().loadFromOptions(...)`.
 *
 * @example
 * const [cluster] = kubeConfigOptions(mgr.config).clusters;
 * ctx.log.info("Talking to", { server: cluster?.["server"] });
 */
export function kubeConfigOptions(config: ClientConfig): KubeConfigOptions {
  const name = "tsop";
  const { server, namespace, exec, tokenFile, authProvider } = config;
  return {
    clusters: [
      {
        name,
        server,
        ...present("caData", config.ca && base64(config.ca)),
        ...present("caFile", config.caFile),
        ...present("tlsServerName", config.tlsServerName),
        ...present("proxyUrl", config.proxyUrl),
        skipTLSVerify: config.insecureSkipTlsVerify ?? false,
      },
    ],
    users: [
      {
        name,
        ...present("certData", config.cert && base64(config.cert)),
        ...present("keyData", config.key && base64(config.key)),
        ...present("certFile", config.certFile),
        ...present("keyFile", config.keyFile),
        ...present("token", config.token),
        ...present("username", config.username),
        ...present("password", config.password),
        ...present("impersonateUser", config.impersonate?.user),
        ...present("exec", exec),
        // client-node rereads a rotating token only through this provider.
        ...present("authProvider", tokenFile ? { name: "tokenFile", config: { tokenFile } } : authProvider),
      },
    ],
    contexts: [{ name, cluster: name, user: name, namespace }],
    currentContext: name,
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function present(name: string, value: unknown): Record<string, unknown> {
  return value ? { [name]: value } : {};
}
