import { createHash } from "node:crypto";
import { TsopError } from "../../errors/tsop-error.ts";
import { Authorizer } from "./authorizer.ts";
import { readShape, type Shape } from "../read-shape.ts";
import type { Credentials } from "./docker-credentials.ts";
import { exchange, type Answer, type Exchange, type ExchangeLimits } from "./http-exchange.ts";
import { versionOf, type ImageReference } from "./image-reference.ts";

export interface RegistryOptions {
  /** Uses plain HTTP, as always for registries on this machine. */
  readonly plainHttp?: boolean;
  readonly ca?: string | undefined;
  readonly limits?: ExchangeLimits;
  readonly credentialsOf: (host: string) => Promise<Credentials | undefined>;
}

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

export interface Manifest {
  readonly mediaType?: string;
  readonly config?: Descriptor;
  readonly layers?: readonly Descriptor[];
  /** Set for an index of several platforms. */
  readonly manifests?: readonly (Descriptor & { readonly platform?: Platform })[];
}

interface Platform {
  readonly os?: string;
  readonly architecture?: string;
}

export interface ImageConfig extends Platform {
  readonly config?: { readonly Labels?: Readonly<Record<string, string>> };
}

const descriptorShape: Shape = { "digest!": "text", "size!": "number", mediaType: "text" };
const manifestShape: Shape = {
  config: descriptorShape,
  layers: [descriptorShape],
  manifests: [{ ...descriptorShape, platform: { os: "text", architecture: "text" } }],
};

const manifestTypes = [
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];

/** A client of the OCI distribution protocol: https://github.com/opencontainers/distribution-spec */
export class RegistryClient {
  private readonly options: RegistryOptions;
  private readonly authorizer: Authorizer;

  constructor(options: RegistryOptions) {
    this.options = options;
    this.authorizer = new Authorizer(options);
  }

  /** Returns the current digest of a tag. */
  async resolveDigest(image: ImageReference): Promise<string> {
    if (image.digest) return image.digest;
    const head = await this.send(image, "pull", this.manifestRequest(image, "HEAD"));
    const digest = head.headers["docker-content-digest"];
    if (head.status === 200 && typeof digest === "string") return digest;
    return (await this.fetchManifest(image)).digest;
  }

  /** Reads the manifest of an image; for a multi-platform image, the manifest for linux/amd64 or else the first. */
  async manifest(image: ImageReference): Promise<Manifest> {
    const { manifest } = await this.fetchManifest(image);
    if (!manifest.manifests) return manifest;
    const usual = manifest.manifests.find(
      ({ platform }) => platform?.os === "linux" && platform.architecture === "amd64",
    );
    const { digest } = usual ?? manifest.manifests[0] ?? this.refuse(image, "an index without manifests");
    if (!isDigest(digest)) this.refuse(image, `${JSON.stringify(digest)} is not a digest`);
    return (await this.fetchManifest({ ...image, digest })).manifest;
  }

  /** Returns the platforms of an image, such as `linux/amd64`. */
  async platforms(image: ImageReference): Promise<string[]> {
    const { manifest } = await this.fetchManifest(image);
    const text = ({ os, architecture }: Platform): string => `${os}/${architecture}`;
    const isKnown = ({ os, architecture }: Platform): boolean =>
      [os, architecture].every((name) => name && name !== "unknown");
    if (manifest.manifests)
      return manifest.manifests.flatMap(({ platform = {} }) => (isKnown(platform) ? [text(platform)] : []));
    if (!manifest.config) return [];
    const config = await this.config(image, manifest.config);
    return isKnown(config) ? [text(config)] : [];
  }

  /** Reads the configuration of an image. */
  async config(image: ImageReference, descriptor: Descriptor): Promise<ImageConfig> {
    const shape: Shape = { os: "text", architecture: "text", config: { Labels: "texts" } };
    return this.json(image, await this.blob(image, descriptor), { what: "configuration", shape }) as ImageConfig;
  }

  /** Reads the bytes of a descriptor; fails if they do not match it. */
  async blob(image: ImageReference, { digest, size }: Descriptor): Promise<Buffer> {
    if (!isDigest(digest)) this.refuse(image, `${JSON.stringify(digest)} is not a digest`);
    const url = this.url(image, `blobs/${digest}`);
    const mostBytes = Math.max(Math.min(size, mostBlobBytes), 1 << 20);
    const { status, body } = await this.send(image, "pull", { method: "GET", url, mostBytes });
    if (status !== 200) this.refuse(image, `blob ${digest}: status ${status}`);
    if (body.length !== size || digestOf(body) !== digest) {
      throw new TsopError("TSOP_REGISTRY_CORRUPT", { image: nameOf(image), digest, size: body.length });
    }
    return body;
  }

  /** Uploads bytes unless the repository has them. */
  async putBlob(image: ImageReference, body: Uint8Array): Promise<void> {
    const digest = digestOf(body);
    const known = await this.send(image, "pull,push", { method: "HEAD", url: this.url(image, `blobs/${digest}`) });
    if (known.status === 200) return;
    const started = await this.send(image, "pull,push", { method: "POST", url: this.url(image, "blobs/uploads/") });
    const { location } = started.headers;
    if (started.status !== 202 || !location || !URL.canParse(location, this.url(image, "").href))
      this.refuse(image, `the upload was not started: ${explain(started)}`);
    const url = new URL(location, this.url(image, ""));
    url.searchParams.set("digest", digest);
    const headers = { "content-type": "application/octet-stream" };
    const ended = await this.send(image, "pull,push", { method: "PUT", url, headers, body, namedBy: started });
    if (ended.status !== 201) this.refuse(image, `the upload of ${digest} failed: ${explain(ended)}`);
  }

  /** Uploads the manifest of an image; returns its digest. */
  async putManifest(image: ImageReference, manifest: Manifest & { readonly mediaType: string }): Promise<string> {
    const body = Buffer.from(JSON.stringify(manifest));
    const url = this.url(image, `manifests/${versionOf(image)}`);
    const headers = { "content-type": manifest.mediaType };
    const answer = await this.send(image, "pull,push", { method: "PUT", url, headers, body });
    if (answer.status !== 201) this.refuse(image, `the registry rejected the manifest: ${explain(answer)}`);
    return digestOf(body);
  }

  private async fetchManifest(image: ImageReference): Promise<{ manifest: Manifest; digest: string }> {
    const answer = await this.send(image, "pull", this.manifestRequest(image, "GET"));
    if (answer.status === 404) throw new TsopError("TSOP_IMAGE_NOT_FOUND", { image: nameOf(image) });
    if (answer.status !== 200) this.refuse(image, explain(answer));
    const digest = digestOf(answer.body);
    if (image.digest && image.digest !== digest) {
      throw new TsopError("TSOP_REGISTRY_CORRUPT", {
        image: nameOf(image),
        digest: image.digest,
        size: answer.body.length,
      });
    }
    return { manifest: this.json(image, answer.body, { what: "manifest", shape: manifestShape }) as Manifest, digest };
  }

  private json(image: ImageReference, body: Buffer, { what, shape }: { what: string; shape: Shape }): unknown {
    try {
      return readShape(JSON.parse(body.toString("utf8")), shape, what);
    } catch (error) {
      return this.refuse(image, `the ${what} cannot be read: ${(error as Error).message}`);
    }
  }

  private manifestRequest(image: ImageReference, method: "GET" | "HEAD"): Exchange {
    const url = this.url(image, `manifests/${versionOf(image)}`);
    return { method, url, headers: { accept: manifestTypes.join(", ") } };
  }

  private url({ host, repository }: ImageReference, path: string): URL {
    const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(host);
    const scheme = this.options.plainHttp || (isLocal && !this.options.ca) ? "http" : "https";
    return new URL(`${scheme}://${host === "docker.io" ? "registry-1.docker.io" : host}/v2/${repository}/${path}`);
  }

  /**
   * Sends a request with the authorization that the registry requires. Credentials go to its host alone, and never over
   * HTTP instead of HTTPS, wherever it redirects to and asks to upload to.
   */
  private async send(image: ImageReference, actions: string, request: Exchange): Promise<Answer> {
    const { ca, limits } = this.options;
    const { origin, protocol } = this.url(image, "");
    const scope = { host: image.host, isSecure: protocol === "https:", repository: image.repository, actions };
    const authorized = async (renew?: Answer): Promise<Answer> => {
      const isOurs = request.url.origin === origin;
      const authorization = isOurs ? await this.authorizer.headers(scope, renew) : {};
      return exchange({ ...request, ca, limits, headers: { ...request.headers, ...authorization } });
    };
    let answer = await authorized();
    if (answer.status === 400 && request.url.protocol === "http:" && /HTTPS/.test(answer.body.toString("latin1")))
      throw new TsopError("TSOP_REGISTRY_TLS", { host: image.host });
    if (answer.status === 401) answer = await authorized(answer);
    if (answer.status === 401 || answer.status === 403) {
      throw new TsopError("TSOP_REGISTRY_DENIED", { image: nameOf(image), host: image.host, status: answer.status });
    }
    const { location } = answer.headers;
    const isRedirect = request.method === "GET" && [301, 302, 303, 307, 308].includes(answer.status);
    if (!isRedirect || !location || !URL.canParse(location, request.url.href)) return answer;
    const url = new URL(location, request.url);
    // The answer of a tag has no digest that it could be held against.
    if (request.url.protocol === "https:" && url.protocol !== "https:")
      this.refuse(image, `the registry redirects to ${url.href}, without TLS`);
    return exchange({ ...request, url, ca, limits, namedBy: answer });
  }

  private refuse(image: ImageReference, reason: string): never {
    throw new TsopError("TSOP_REGISTRY_REFUSED", { image: nameOf(image), reason });
  }
}

/** Bundles are small; a larger blob cannot be one. */
const mostBlobBytes = 256 << 20;

/** A digest becomes a part of a URL. */
function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/** Returns the digest of bytes. */
export function digestOf(body: Uint8Array): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}

function nameOf(image: ImageReference): string {
  const version = image.digest ? `@${image.digest}` : `:${versionOf(image)}`;
  return `${image.host}/${image.repository}${version}`;
}

/** Returns the registry's own message if it sends one. */
function explain({ status, body }: Answer): string {
  try {
    const { errors } = JSON.parse(body.toString("utf8")) as { errors?: { message?: string; code?: string }[] };
    const texts = errors?.map(({ message, code }) => message ?? code).join(", ");
    return texts ? `${texts} (status ${status})` : `status ${status}`;
  } catch {
    return `status ${status}`; // not JSON: there is nothing to quote
  }
}
