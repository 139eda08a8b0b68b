import type { ClientConfig } from "./config.ts";
import { parseKubeconfig } from "./kubeconfig-file.ts";
import { resolveContext } from "./kubeconfig.ts";
import { proxyFromEnvironment } from "./proxy-from-environment.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** The clusters of a kubeconfig. */
export interface ReadConfigs {
  /** Returns the cluster of the current context; of the only context, if none is current. */
  current(): ClientConfig;
  byContext(): Map<string, ClientConfig>;
}

/** Parses a kubeconfig; `source` is its file, or its name in messages. */
export function readConfigs(text: string, source: string): ReadConfigs {
  const kubeconfig = parseKubeconfig(text, source);
  const resolve = (context?: string): ClientConfig => {
    const config = resolveContext(kubeconfig, source, context);
    const proxyUrl = config.proxyUrl ?? proxyFromEnvironment(config.server, process.env);
    return proxyUrl ? { ...config, proxyUrl } : config;
  };
  const contexts = [...kubeconfig.contexts.keys()];
  return {
    current: () => resolve(kubeconfig.currentContext || (contexts.length === 1 ? contexts[0] : undefined)),
    byContext: () => new Map(contexts.map((context) => [context, resolve(context)])),
  };
}

const local = ["exec", "authProvider", "caFile", "certFile", "keyFile", "tokenFile"] as const;

/**
 * Parses a kubeconfig of a Secret. It may neither run programs nor read files: whoever can write the Secret would
 * otherwise run programs in the operator's pod, or have its files sent to a server of their choice.
 */
export function readSecretConfig(text: string, source: string): ClientConfig {
  const config = readConfigs(text, source).current();
  const field = local.find((name) => config[name] !== undefined);
  if (field) throw new TsopError("TSOP_KUBECONFIG_LOCAL", { source, field });
  return config;
}
