import { readShape, type Shape } from "../../apimachinery/read-shape.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import {
  digestOf,
  isDigest,
  isPlatform,
  mediaTypes,
  type Descriptor,
  type ImageConfig,
  type Manifest,
  type Platform,
} from "../manifest.ts";
import { Authorizer, type Scope } from "./authorizer.ts";
import { jsonContent, type Content } from "./content.ts";
import type { Credentials } from "./docker-credentials.ts";
import { exchange, type Answer, type Exchange, type ExchangeLimits } from "./http-exchange.ts";
import { versionOf, type ImageReference } from "./image-reference.ts";

export interface RegistryOptions {
  /** Uses plain HTTP, as always for registries on this machine. */
  readonly plainHttp?: boolean;
  /** The registries that are meant by `plainHttp`; absent for all. */
  readonly plainHosts?: readonly string[] | undefined;
  readonly ca?: string | undefined;
  readonly limits?: ExchangeLimits;
  readonly credentialsOf: (host: string) => Promise<Credentials | undefined>;
}

const platformShape = { os: "text", architecture: "text", variant: "text" } as const;
const descriptorShape: Shape = {
  "digest!": "text",
  "size!": "number",
  mediaType: "text",
  artifactType: "text",
  annotations: "texts",
  platform: platformShape,
};
const manifestShape: Shape = { config: descriptorShape, layers: [descriptorShape], manifests: [descriptorShape] };
const configShape: Shape = {
  ...platformShape,
  config: { User: "text", Env: ["text"], Cmd: ["text"], Entrypoint: ["text"], WorkingDir: "text", Labels: "texts" },
  rootfs: { diff_ids: ["text"] },
  history: ["any"],
};

const manifestTypes = [
  mediaTypes.manifest,
  mediaTypes.index,
  "application/vnd.docker.distribution.manifest.v2+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];

/** A manifest, as its registry has it. */
export interface FetchedManifest {
  readonly manifest: Manifest;
  readonly digest: string;
  readonly body: Buffer;
}

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
    return (await this.readManifest(image)).digest;
  }

  /** Reads the manifest of an image; for a multi-platform image, the manifest for linux/amd64 or else the first. */
  async manifest(image: ImageReference): Promise<Manifest> {
    const { manifest } = await this.readManifest(image);
    if (!manifest.manifests) return manifest;
    const usual = manifest.manifests.find(
      ({ platform }) => platform?.os === "linux" && platform.architecture === "amd64",
    );
    const { digest } = usual ?? manifest.manifests[0] ?? this.refuse(image, "an index without manifests");
    if (!isDigest(digest)) this.refuse(image, `${JSON.stringify(digest)} is not a digest`);
    return (await this.readManifest({ ...image, digest })).manifest;
  }

  /** Returns the platforms of an image without their variants, as labels name them: `linux/arm64`. */
  async platforms(image: ImageReference): Promise<string[]> {
    const { manifest } = await this.readManifest(image);
    const text = ({ os, architecture }: Platform): string => `${os}/${architecture}`;
    if (manifest.manifests)
      return manifest.manifests.flatMap(({ platform = {} }) => (isPlatform(platform) ? [text(platform)] : []));
    if (!manifest.config) return [];
    const config = await this.config(image, manifest.config);
    return isPlatform(config) ? [text(config)] : [];
  }

  /** Reads the configuration of an image. */
  async config(image: ImageReference, descriptor: Descriptor): Promise<ImageConfig> {
    return this.parseConfig(image, await this.blob(image, descriptor));
  }

  /** Parses the configuration of an image. */
  parseConfig(image: ImageReference, body: Buffer): ImageConfig {
    return this.json(image, body, { what: "configuration", shape: configShape }) as ImageConfig;
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

  /**
   * Uploads content unless the repository has it. A registry that has it in another repository is asked to take it from
   * there.
   */
  async putBlob(image: ImageReference, { descriptor: { digest }, origin, read }: Content): Promise<void> {
    const known = await this.send(image, "pull,push", { method: "HEAD", url: this.url(image, `blobs/${digest}`) });
    if (known.status === 200) return;
    const uploads = this.url(image, "blobs/uploads/");
    const from = origin?.host === image.host ? origin.repository : undefined;
    const mounted = from && (await this.mount(image, { url: uploads, digest, from }));
    if (mounted && mounted.status === 201) return;
    const started = mounted || (await this.send(image, "pull,push", { method: "POST", url: uploads }));
    const { location } = started.headers;
    if (started.status !== 202 || !location || !URL.canParse(location, this.url(image, "").href))
      this.refuse(image, `the upload was not started: ${explain(started)}`);
    const url = new URL(location, this.url(image, ""));
    url.searchParams.set("digest", digest);
    const headers = { "content-type": "application/octet-stream" };
    const body = await read();
    const ended = await this.send(image, "pull,push", { method: "PUT", url, headers, body, namedBy: started });
    if (ended.status !== 201) this.refuse(image, `the upload of ${digest} failed: ${explain(ended)}`);
  }

  /**
   * Asks for a blob of another repository; a registry that has no such blob starts an upload. Returns undefined if the
   * account may not read there, or the token service grants one repository only.
   */
  private async mount(
    image: ImageReference,
    { url, digest, from }: { url: URL; digest: string; from: string },
  ): Promise<Answer | undefined> {
    const start = new URL(`?${new URLSearchParams({ mount: digest, from }).toString()}`, url);
    try {
      return await this.send(image, "pull,push", { method: "POST", url: start }, from);
    } catch (error) {
      if (error instanceof TsopError && error.code === "TSOP_REGISTRY_DENIED") return undefined;
      throw error;
    }
  }

  /** Uploads a manifest or an index; returns the registry's answer. */
  async putManifest(image: ImageReference, { descriptor, read }: Content): Promise<Answer> {
    const url = this.url(image, `manifests/${versionOf(image)}`);
    const headers = { "content-type": descriptor.mediaType };
    const answer = await this.send(image, "pull,push", { method: "PUT", url, headers, body: await read() });
    if (answer.status !== 201) this.refuse(image, `the registry rejected the manifest: ${explain(answer)}`);
    return answer;
  }

  /**
   * Uploads a manifest that refers to another one as its subject. A registry that does not list referrers by itself has
   * an index of them under a tag that is the subject's digest.
   */
  async putReferrer(image: ImageReference, subject: string, manifest: Content): Promise<void> {
    const { descriptor } = manifest;
    const answer = await this.putManifest({ ...image, digest: descriptor.digest }, manifest);
    if (answer.headers["oci-subject"] !== undefined) return;
    const others = (await this.listReferrers(image, subject)).filter(({ digest }) => digest !== descriptor.digest);
    const index = { schemaVersion: 2, mediaType: mediaTypes.index, manifests: [...others, descriptor] };
    await this.putManifest(referrersTag(image, subject), jsonContent(index.mediaType, index));
  }

  /** Lists the manifests whose subject a digest is. */
  async listReferrers(image: ImageReference, subject: string): Promise<readonly Descriptor[]> {
    const accept = { accept: mediaTypes.index };
    for (const url of [
      this.url(image, `referrers/${subject}`),
      this.manifestRequest(referrersTag(image, subject), "GET").url,
    ]) {
      const answer = await this.send(image, "pull", { method: "GET", url, headers: accept });
      const type = answer.headers["content-type"] ?? "";
      if (answer.status === 200 && type.startsWith(mediaTypes.index))
        return this.parseManifest(image, answer.body).manifests ?? [];
      if (answer.status !== 404 && answer.status !== 200) this.refuse(image, explain(answer));
    }
    return [];
  }

  /** Reads a manifest or an index; `cached` is what an earlier call read for the same digest. */
  async readManifest(image: ImageReference, cached?: Buffer): Promise<FetchedManifest> {
    if (cached) return { manifest: this.parseManifest(image, cached), digest: digestOf(cached), body: cached };
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
    return { manifest: this.parseManifest(image, answer.body), digest, body: answer.body };
  }

  private parseManifest(image: ImageReference, body: Buffer): Manifest {
    return this.json(image, body, { what: "manifest", shape: manifestShape }) as Manifest;
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
    const { plainHttp, plainHosts = [host] } = this.options;
    const scheme = (plainHttp && plainHosts.includes(host)) || (isLocal && !this.options.ca) ? "http" : "https";
    return new URL(`${scheme}://${host === "docker.io" ? "registry-1.docker.io" : host}/v2/${repository}/${path}`);
  }

  /**
   * Sends a request with the authorization that the registry requires. Credentials go to its host alone, and never over
   * HTTP instead of HTTPS, wherever it redirects to and asks to upload to.
   */
  private async send(
    image: ImageReference,
    actions: Scope["actions"],
    request: Exchange,
    readsFrom?: string,
  ): Promise<Answer> {
    const { ca, limits } = this.options;
    const { origin, protocol } = this.url(image, "");
    const isSecure = protocol === "https:";
    const scope = { host: image.host, isSecure, repository: image.repository, actions, readsFrom };
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

/** No layer of a bundle or of a base image is larger. */
const mostBlobBytes = 256 << 20;

function referrersTag({ host, repository }: ImageReference, subject: string): ImageReference {
  return { host, repository, tag: subject.replace(":", "-") };
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
