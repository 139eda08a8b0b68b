import { join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { findCredentials, parseDockerConfig, type DockerConfig } from "./docker-credentials.ts";
import { RegistryClient } from "./registry-client.ts";

export interface RegistrySettings {
  readonly plainHttp?: boolean | undefined;
  /** A file with the certificate of the registry's authority, absolute. */
  readonly caFile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly disk: Pick<Disk, "read">;
}

/** Creates a client with the credentials of `docker login` or `podman login`. */
export async function connectRegistry({
  plainHttp = false,
  caFile,
  env,
  disk,
}: RegistrySettings): Promise<RegistryClient> {
  const config = await loadDockerConfig(env, disk);
  const ca = caFile === undefined ? undefined : await disk.read(caFile);
  if (caFile !== undefined && ca === undefined) {
    throw new TsopError("TSOP_REGISTRY_CA", { file: caFile });
  }
  return new RegistryClient({ plainHttp, ca, credentialsOf: (host) => findCredentials(host, config) });
}

async function loadDockerConfig(env: RegistrySettings["env"], disk: Pick<Disk, "read">): Promise<DockerConfig> {
  const folder = env["DOCKER_CONFIG"] ?? join(env["HOME"] ?? env["USERPROFILE"] ?? "/", ".docker");
  const runtime = env["XDG_RUNTIME_DIR"];
  const podman = runtime ? [join(runtime, "containers/auth.json")] : [];
  const files = env["REGISTRY_AUTH_FILE"] ? [env["REGISTRY_AUTH_FILE"]] : [join(folder, "config.json"), ...podman];
  for (const file of files) {
    const text = await disk.read(file);
    if (text !== undefined) return parseDockerConfig(text, file);
  }
  return {};
}
