import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientConfig } from "./config.ts";

const defaultDir = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Returns the configuration of a pod, or `undefined` outside a cluster. */
export async function inClusterConfig(
  env: Readonly<Record<string, string | undefined>>,
  dir: string = defaultDir,
): Promise<ClientConfig | undefined> {
  const host = env["KUBERNETES_SERVICE_HOST"];
  const port = env["KUBERNETES_SERVICE_PORT"];
  if (!host || !port) return undefined;
  const tokenFile = join(dir, "token");
  if ((await readIfThere(tokenFile)) === undefined) return undefined;
  const namespace = (await readIfThere(join(dir, "namespace")))?.trim();
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    namespace: namespace || "default",
    source: "the service account of this pod",
    caFile: join(dir, "ca.crt"),
    tokenFile,
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
