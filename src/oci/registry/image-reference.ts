import { TsopError } from "../../errors/tsop-error.ts";

/** The address of an image: `host/repository:tag` or `host/repository@digest`. */
export interface ImageReference {
  /** Host and port of the registry. */
  readonly host: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const host = "(?:localhost|[a-zA-Z0-9-]+(?:\\.[a-zA-Z0-9-]+)+|[a-zA-Z0-9-]+(?=:)|\\[[0-9a-fA-F:]+\\])(?::\\d+)?";
const part = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const pattern = new RegExp(
  `^(?:(${host})/)?(${part}(?:/${part})*)(?::([\\w][\\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`,
);

/** Parses a reference as Docker does: the default host is Docker Hub, the default tag is `latest`. */
export function parseImageReference(text: string): ImageReference {
  const [, host = "docker.io", path, tag, digest] = pattern.exec(text) ?? [];
  if (path === undefined) throw new TsopError("TSOP_IMAGE_REFERENCE", { image: text });
  const repository = host === "docker.io" && !path.includes("/") ? `library/${path}` : path;
  // A digest names the image without the tag before it.
  return { host, repository, ...(digest === undefined ? { tag: tag ?? "latest" } : { digest }) };
}

/** Returns the version to request: the digest if there is one, else the tag. */
export function versionOf({ tag = "latest", digest }: ImageReference): string {
  return digest ?? tag;
}

/** Returns the name of an image with its digest in place of its tag. */
export function withDigest(name: string, digest: string): string {
  return `${name.replace(/(@.*|:[^:/]*)$/, "")}@${digest}`;
}
