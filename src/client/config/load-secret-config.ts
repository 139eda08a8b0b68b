import type { ClientConfig } from "./config.ts";

/**
 * Reads the cluster of a kubeconfig that comes from a Secret: the cluster of its current context, or of its only one. It may
 * neither run programs nor name files, since whoever can write the Secret would do so in the operator's pod. Throws a
 * TsopError that names the `source`.
 *
 * @example
 * const { data } = await mgr.client.get(Secret, request);
 * const kubeconfig = Buffer.from(data?.["value"] ?? "", "base64").toString();
 * const remote = createClient({ config: await loadSecretConfig(kubeconfig, `Secret ${request.name}`) });
 */
export async function loadSecretConfig(kubeconfig: string, source: string): Promise<ClientConfig> {
  // With the YAML parser, which most operators do not need.
  const { readSecretConfig } = await import("./read-configs.ts");
  return readSecretConfig(kubeconfig, source);
}
