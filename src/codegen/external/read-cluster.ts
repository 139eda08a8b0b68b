import type { Reader } from "../../client/client.ts";
import type { CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { CustomResourceDefinition as CrdKind } from "../../client/manifests/install-crds.ts";
import { readCrd } from "./parse-crds.ts";

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
