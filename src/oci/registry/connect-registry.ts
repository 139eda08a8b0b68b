import { join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { findCredentials, parseDockerConfig, type Credentials } from "./docker-credentials.ts";
import { RegistryClient } from "./registry-client.ts";

export interface RegistrySettings {
  readonly plainHttp?: boolean | undefined;
  readonly plainHosts?: readonly string[] | undefined;
  /** A file with the certificate of the registry's authority, absolute. */
  readonly caFile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly disk: Pick<Disk, "read">;
}

/** Creates a client with the credentials of `docker login` or `podman login`. */
export async function connectRegistry({
  plainHttp = false,
  plainHosts,
  caFile,
  env,
  disk,
}: RegistrySettings): Promise<RegistryClient> {
  const ca = caFile === undefined ? undefined : await disk.read(caFile);
  if (caFile !== undefined && ca === undefined) {
    throw new TsopError("TSOP_REGISTRY_CA", { file: caFile });
  }
  return new RegistryClient({ plainHttp, plainHosts, ca, credentialsOf: (host) => findLogin(host, { env, disk }) });
}

/** Finds the login for a registry in the files of Docker and podman; the first that has one counts. */
export async function findLogin(
  host: string,
  { env, disk }: Pick<RegistrySettings, "env" | "disk">,
): Promise<Credentials | undefined> {
  for (const file of loginFiles(env)) {
    const text = await disk.read(file);
    const found = text === undefined ? undefined : await findCredentials(host, parseDockerConfig(text, file));
    if (found) return found;
  }
  return undefined;
}

function loginFiles(env: RegistrySettings["env"]): string[] {
  if (env["REGISTRY_AUTH_FILE"]) return [env["REGISTRY_AUTH_FILE"]];
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "/";
  const podman = [env["XDG_RUNTIME_DIR"], join(home, ".config")].filter((folder) => folder !== undefined);
  return [
    join(env["DOCKER_CONFIG"] ?? join(home, ".docker"), "config.json"),
    ...podman.map((folder) => join(folder, "containers/auth.json")),
  ];
}
