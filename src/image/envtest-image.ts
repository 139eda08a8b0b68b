import { join, posix } from "node:path";
import { packageFile } from "../apimachinery/package-file.ts";
import type { Disk } from "../files/disk.ts";
import type { TarEntry } from "../files/tar.ts";
import type { BlobCache } from "../oci/image/blob-cache.ts";
import { extendBase } from "../oci/image/extend-base.ts";
import { makeLayer, type Image } from "../oci/image/image.ts";
import { readBase } from "../oci/image/read-base.ts";
import type { RegistryClient } from "../oci/registry/registry-client.ts";

/** The port of the server, and the file with a kubeconfig for its administrator. */
const port = 6443;
const kubeconfig = "/tmp/kubeconfig";

/** The files of this package that the command line and the server read. */
const wanted = /^(package\.json|bin\/.*|dist\/(\w+\.cjs|version\.txt)|src\/.*\.json)$/;
const licenses = /^(LICENSE|dist\/LICENSES\.txt)$/;

export interface EnvtestImageOptions {
  readonly base: string;
  readonly created: Date;
  readonly tsopVersion: string;
}

/** Builds the image of `tsop envtest --serve`, for Testcontainers and the services of a workflow. */
export async function buildEnvtestImage(
  { base: name, created, tsopVersion }: EnvtestImageOptions,
  { disk, registry, cache }: { readonly disk: Disk; readonly registry: RegistryClient; readonly cache: BlobCache },
): Promise<Image> {
  const base = await readBase(name, { registry, cache });
  const config = {
    User: "65532:65532",
    WorkingDir: "/app",
    ExposedPorts: { [`${port}/tcp`]: {} },
    Entrypoint: ["/nodejs/bin/node", "/app/bin/tsop.js", "envtest", "--serve"],
    Cmd: [`--listen=0.0.0.0:${port}`, `--kubeconfig=${kubeconfig}`],
    Labels: {
      "org.opencontainers.image.title": "tsop-envtest",
      "org.opencontainers.image.version": tsopVersion,
      "org.opencontainers.image.description": "The Kubernetes API for tests of operators",
    },
  };
  const layer = makeLayer(await filesOfPackage(disk), created);
  return extendBase(base, { layer, config, created, createdBy: "tsop image envtest" });
}

async function filesOfPackage(disk: Disk): Promise<TarEntry[]> {
  const root = join(packageFile("package.json"), "..");
  // A checkout has other folders, too.
  const skip = (name: string): boolean => /^(node_modules|ui|docs|test|lab|examples|templates|\..*)$/.test(name);
  const paths = await disk.list(root, { skip });
  const file = async (path: string, target: string): Promise<TarEntry> => ({
    path: target,
    body: Buffer.from((await disk.read(join(root, path))) ?? ""),
  });
  return Promise.all([
    ...paths.filter((path) => wanted.test(path)).map((path) => file(path, posix.join("app", path))),
    ...paths
      .filter((path) => licenses.test(path))
      .map((path) => file(path, posix.join("licenses", posix.basename(path)))),
  ]);
}
