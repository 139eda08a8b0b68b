import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Client } from "../../../src/client/client.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { connectRegistry } from "../../../src/oci/registry/connect-registry.ts";
import { pullBundle } from "../../../src/olm/registry/pull-bundle.ts";
import type { Pod } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";

interface JobSpec {
  readonly initContainers?: readonly { readonly name: string; readonly image: string }[];
  readonly containers: readonly { readonly name: string; readonly command: readonly string[] }[];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
}

/** Reports whether a pod unpacks a bundle's image from a registry on this machine. */
export function unpacksBundle(pod: Pod): boolean {
  return bundleImage(pod)?.startsWith("127.0.0.1:") ?? false;
}

function bundleImage({ spec }: Pod): string | undefined {
  return (spec as unknown as JobSpec).initContainers?.find(({ name }) => name === "pull")?.image;
}

export interface UnpackOptions {
  readonly client: Client;
  readonly opm: string;
  readonly kubeconfig: string;
  /** An empty folder. */
  readonly folder: string;
  /** The registry's authority, which the node trusts. */
  readonly caFile?: string | undefined;
}

/** Does what the containers of an unpack job do: pulls the image as the kubelet does, and runs opm, which writes a ConfigMap. */
export async function unpackBundle(
  pod: Pod,
  { client, opm, kubeconfig, folder, caFile }: UnpackOptions,
): Promise<void> {
  const { containers, imagePullSecrets = [] } = pod.spec as unknown as JobSpec;
  const image = bundleImage(pod)!;
  mkdirSync(folder, { recursive: true });
  // A kubelet ignores secrets that do not exist; operator-sdk names one "".
  for (const { name = "" } of imagePullSecrets) {
    if (name === "") continue;
    const key = { namespace: pod.metadata.namespace, name };
    const secret = await client.getOrUndefined(await client.kindFor("v1", "Secret"), key);
    const config = (secret as { data?: Record<string, string> } | undefined)?.data?.[".dockerconfigjson"];
    if (config === undefined) continue;
    writeFileSync(join(folder, "config.json"), Buffer.from(config, "base64"), { mode: 0o600 });
  }
  const registry = await connectRegistry({ env: { DOCKER_CONFIG: folder }, disk: realDisk(), caFile });
  const root = join(folder, "bundle");
  for (const [path, text] of await pullBundle(image, registry)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const [, ...args] = containers.find(({ name }) => name === "extract")!.command;
  const here = args.map((arg) => (arg === "/bundle/" ? `${root}/` : arg));
  await promisify(execFile)(opm, [...here, "--kubeconfig", kubeconfig], {
    env: { ...process.env, CONTAINER_IMAGE: image },
  });
}
