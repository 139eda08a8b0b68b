import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readTar } from "../../src/files/tar.ts";
import { parseImageReference } from "../../src/oci/registry/image-reference.ts";
import { RegistryClient } from "../../src/oci/registry/registry-client.ts";
import { findTool } from "../unit/oci/find-tool.ts";
import type { Image } from "./dockerfile.ts";

const crane = findTool("crane");

/** Pulls an image of a platform and unpacks it: with crane if it is installed. */
export async function pullImage(name: string, architecture: string, root: string): Promise<Image> {
  const client = new RegistryClient({ credentialsOf: async () => undefined });
  const reference = parseImageReference(name);
  const { manifests = [] } = (await client.readManifest(reference)).manifest;
  const { digest } = manifests.find(({ platform }) => platform?.architecture === architecture)!;
  const { config, layers = [] } = await client.manifest({ ...reference, digest });
  mkdirSync(root);
  if (crane) {
    const archive = join(root, "..", `${architecture}.tar`);
    const repository = name.replace(/(@.*|:[^:/]*)$/, "");
    execFileSync(crane, ["export", `${repository}@${digest}`, archive]);
    execFileSync("tar", ["-xf", archive, "-C", root]);
  } else {
    for (const layer of layers) {
      for (const { path, body } of readTar(gunzipSync(await client.blob(reference, layer)))) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), body);
      }
    }
  }
  const { config: settings } = await client.config(reference, config!);
  return { root, entrypoint: settings?.Entrypoint ?? [] };
}
