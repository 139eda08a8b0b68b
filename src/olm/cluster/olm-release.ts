import { TsopError } from "../../errors/tsop-error.ts";
import { isCrd } from "../../manifests/install-crds.ts";
import { parseDocuments } from "../../manifests/parse-documents.ts";
import { readManifests, type Manifest } from "../../manifests/read-manifests.ts";
import { isKubeObject } from "../parse-objects.ts";

const releases = "https://github.com/operator-framework/operator-lifecycle-manager/releases/download";

/** The version that is installed by default. */
export const defaultOlmVersion = "0.38.0";

export interface ReleaseSource {
  readonly version: string;
  /** A folder with the manifests, or the URL of one with crds.yaml and olm.yaml. */
  readonly manifests?: string | undefined;
}

/** Reads the manifests of a release, the CRDs first. */
export async function readRelease({ version, manifests }: ReleaseSource, signal: AbortSignal): Promise<Manifest[]> {
  const tag = version.replace(/^v?(?=\d)/, "v");
  const source = manifests ?? `${releases}/${tag}`;
  const all = /^https?:/.test(source) ? await download(source, signal) : await readManifests(source);
  const objects = all.filter(({ object }) => object.kind !== "Kustomization");
  return [...objects.filter(({ object }) => isCrd(object)), ...objects.filter(({ object }) => !isCrd(object))];
}

async function download(url: string, signal: AbortSignal): Promise<Manifest[]> {
  const files = ["crds.yaml", "olm.yaml"].map(async (name) => {
    const file = `${url.replace(/\/$/, "")}/${name}`;
    const refuse = (reason: string, cause?: unknown) =>
      new TsopError("TSOP_OLM_RELEASE", { url: file, reason }, { cause });
    const response = await fetch(file, { signal }).catch((cause: unknown) => {
      throw refuse("the server cannot be reached", cause);
    });
    if (!response.ok) throw refuse(`the server responds with ${response.status}`);
    return parseDocuments(await response.text(), file).flatMap((object) =>
      isKubeObject(object) ? [{ file, object }] : [],
    );
  });
  return (await Promise.all(files)).flat();
}
