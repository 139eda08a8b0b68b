import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";

/** Reads a file that maps images to digests. */
export async function readDigestMap(file: string, disk: Pick<Disk, "read">): Promise<Record<string, string>> {
  const refuse = (reason: string): never => {
    throw new TsopError("TSOP_DIGEST_MAP", { file, reason });
  };
  const text = (await disk.read(file)) ?? refuse("the file does not exist");
  const [map] = parseDocuments(text, file);
  if (typeof map !== "object" || map === null) return refuse("it must be a map from images to digests");
  for (const [image, digest] of Object.entries(map)) {
    if (!/^(.+@)?sha256:[0-9a-f]{64}$/.test(String(digest)))
      refuse(`the digest of ${image} is not sha256: and 64 hexadecimal digits`);
  }
  return map as Record<string, string>;
}
