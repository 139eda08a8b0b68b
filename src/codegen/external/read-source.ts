import { join, posix } from "node:path";
import type { CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { fetchText, type FetchLimits } from "../../client/manifests/fetch-text.ts";
import { parseCrds, readCrd, type ParsedCrds } from "./parse-crds.ts";
import type { Reader } from "../../client/client.ts";
import { CustomResourceDefinition as CrdKind } from "../../client/manifests/install-crds.ts";

/** The most files and folders below a source. PROJECT may be somebody else's, and name the root of a disk. */
const mostEntries = 50_000;

/** Reads the definitions of a file, or of all manifests in a folder and below. `name` is for messages. */
export async function readFileCrds(
  path: string,
  name: string,
  disk: Pick<Disk, "read" | "list">,
): Promise<CustomResourceDefinition[]> {
  const text = await disk.read(path);
  if (text !== undefined) return someOf([parseCrds(text, name)], name);
  let seen = 0;
  const listed = await disk.list(path, { skip: () => ++seen > mostEntries });
  if (seen > mostEntries) throw new TsopError("TSOP_CRD_SOURCE_LARGE", { source: name, most: mostEntries });
  const files = listed.filter((file) => /\.(ya?ml|json)$/.test(file));
  if (files.length === 0) throw new TsopError("TSOP_CRD_SOURCE", { source: name });
  const parsed: ParsedCrds[] = [];
  for (const file of files) {
    const content = (await disk.read(join(path, file))) ?? "";
    // A folder may also have templates, which are not YAML before they are rendered.
    if (content.includes("CustomResourceDefinition")) parsed.push(parseCrds(content, posix.join(name, file)));
  }
  return someOf(parsed, name);
}

/** Reads the definitions behind a URL. */
export async function readUrlCrds(url: string, limits: FetchLimits): Promise<CustomResourceDefinition[]> {
  return someOf([parseCrds(await fetchText(url, limits), url)], url);
}

/** Reads the definitions of a text that came from standard input. */
export function readTextCrds(text: string): CustomResourceDefinition[] {
  return someOf([parseCrds(text, "standard input")], "standard input");
}

function someOf(parsed: readonly ParsedCrds[], source: string): CustomResourceDefinition[] {
  const crds = parsed.flatMap((one) => one.crds);
  if (crds.length > 0) return crds;
  const others = [...new Set(parsed.flatMap((one) => one.others))];
  throw new TsopError("TSOP_CRD_NONE", { source, found: others.slice(0, 5).join(", ") || "no Kubernetes object" });
}

/** Reads a definition of the cluster by its name, or all of an API group. */
export async function readClusterCrds(
  name: string,
  client: Pick<Reader, "getOrUndefined" | "list">,
): Promise<CustomResourceDefinition[]> {
  const one = await client.getOrUndefined(CrdKind, { name });
  if (one) return [readCrd(one, "the cluster")];
  const { items } = await client.list(CrdKind);
  const names = items.map(({ metadata }) => metadata.name).sort();
  const inGroup = items.filter(({ metadata }) => metadata.name.slice(metadata.name.indexOf(".") + 1) === name);
  if (inGroup.length === 0) throw new TsopError("TSOP_CRD_UNKNOWN", { name, advice: adviceFor(name, names) });
  return inGroup.map((crd) => readCrd(crd, "the cluster"));
}

/** Names the definitions that share a word with the given name. */
function adviceFor(name: string, names: readonly string[]): string {
  const words = name
    .toLowerCase()
    .split(/[./]/)
    .filter((word) => word.length > 3);
  const near = names.filter((known) => words.some((word) => known.includes(word.replace(/s$/, "")))).slice(0, 3);
  return near.length > 0
    ? `did you mean ${near.map((known) => `--from-cluster ${known}`).join(" or ")}?`
    : "list them: kubectl get customresourcedefinitions";
}
