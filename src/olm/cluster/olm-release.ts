import { TsopError } from "../../errors/tsop-error.ts";
import { fetchText, type FetchLimits } from "../../client/manifests/fetch-text.ts";
import { isCrd } from "../../client/manifests/install-crds.ts";
import { CsvKind } from "../../client/manifests/olm-kinds.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";
import { readManifests, type Manifest } from "../../client/manifests/read-manifests.ts";
import { isKubeObject } from "../parse-objects.ts";

const releases = "https://github.com/operator-framework/operator-lifecycle-manager/releases/download";

/** The version that is installed by default. */
export const defaultOlmVersion = "0.38.0";

export interface ReleaseSource {
  readonly version: string;
  /** A folder with the manifests, or the URL of one with crds.yaml and olm.yaml. */
  readonly manifests?: string | undefined;
}

/** Reads the manifests of a release, the CRDs first. Manifests of something else are an error. */
export async function readRelease(
  { version, manifests }: ReleaseSource,
  limits: Pick<FetchLimits, "signal" | "timeoutMs">,
): Promise<Manifest[]> {
  const tag = version.replace(/^v?(?=\d)/, "v");
  const source = manifests ?? `${releases}/${tag}`;
  const all = /^https?:/.test(source) ? await download(source, limits) : await readManifests(source);
  const objects = all.filter(({ object }) => object.kind !== "Kustomization");
  const crds = objects.filter(({ object }) => isCrd(object));
  const others = objects.filter(({ object }) => !isCrd(object));
  const reason =
    partMissing(crds, CsvKind.plural) ?? partMissing(others, "olm-operator") ?? partMissing(others, "catalog-operator");
  if (reason !== undefined) throw new TsopError("TSOP_OLM_RELEASE", { url: source, reason });
  return [...crds, ...others];
}

/** Says that none of the manifests has a name, which each release of OLM has. */
function partMissing(manifests: readonly Manifest[], name: string): string | undefined {
  const isThere = manifests.some(({ object }) => object.metadata.name?.split(".")[0] === name);
  return isThere ? undefined : `it is not a release of OLM, because it has no ${name}`;
}

async function download(url: string, limits: FetchLimits): Promise<Manifest[]> {
  const files = ["crds.yaml", "olm.yaml"].map(async (name) => {
    const file = `${url.replace(/\/$/, "")}/${name}`;
    const text = await fetchText(file, { ...limits, refusal: "TSOP_OLM_RELEASE" });
    return parseDocuments(text, file).flatMap((object) => (isKubeObject(object) ? [{ file, object }] : []));
  });
  return (await Promise.all(files)).flat();
}
