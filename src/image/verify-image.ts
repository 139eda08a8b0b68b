import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { readShape, type Shape } from "../apimachinery/read-shape.ts";
import { readTar } from "../files/tar.ts";
import { readBase } from "../oci/image/read-base.ts";
import { parseImageReference, type ImageReference } from "../oci/registry/image-reference.ts";
import type { RegistryClient } from "../oci/registry/registry-client.ts";
import type { BuildTools } from "./build-image.ts";
import { provenanceType, slsaType } from "./documents/provenance.ts";
import { sbomTypes } from "./documents/sbom.ts";

/** A rule, and why an image breaks it. */
export interface Verdict {
  readonly rule: string;
  readonly failure?: string;
}

/** What an image and the documents about it say. */
export interface PublishedImage {
  readonly digest: string;
  readonly verdicts: readonly Verdict[];
  /** Where it comes from, as its provenance says. */
  readonly origin: Origin | undefined;
}

export interface Origin {
  readonly commit: string | undefined;
  /** True if files that were not committed are in the image. */
  readonly isChanged: boolean;
  readonly baseDigest: string;
  readonly created: string | undefined;
}

/** The parts of documents that are read; anybody who may push can attach them. */
const sbomShape: Shape = {
  "components!": [{ name: "text" }],
  "metadata!": {
    "component!": { "components!": [{ "name!": "text", "hashes!": [{ alg: "text", content: "text" }] }] },
  },
};
const statementShape: Shape = {
  "subject!": [{ "digest!": { sha256: "text" } }],
  predicateType: "text",
  "predicate!": {
    "buildDefinition!": {
      "externalParameters!": { created: "text", "source!": { isChanged: "boolean" } },
      "resolvedDependencies!": [{ name: "text", "digest!": "texts" }],
    },
  },
};
const mapShape: Shape = { "sources!": ["text"] };

interface Sbom {
  readonly components: readonly { readonly name?: string }[];
  readonly metadata: { readonly component: { readonly components: readonly SbomFile[] } };
}

interface SbomFile {
  readonly name: string;
  readonly hashes: readonly { readonly alg?: string; readonly content?: string }[];
}

interface Statement {
  readonly subject: readonly { readonly digest: { readonly sha256?: string } }[];
  readonly predicateType?: string;
  readonly predicate: {
    readonly buildDefinition: {
      readonly externalParameters: { readonly created?: string; readonly source: { readonly isChanged?: boolean } };
      readonly resolvedDependencies: readonly { readonly name?: string; readonly digest: Record<string, string> }[];
    };
  };
}

/** Reads an image with its documents, and compares them. The client compares all bytes with their digests. */
export async function readPublished(
  name: string,
  { registry, cache }: Pick<BuildTools, "registry" | "cache">,
): Promise<PublishedImage> {
  const { digest, platforms } = await readBase(name, { registry, cache });
  const layers = platforms.map((platform) => platform.layers.at(-1));
  const [layer] = layers;
  const bytes = await layer?.read();
  const documents = await readDocuments({ ...parseImageReference(name), digest }, registry);
  const origins: Origin[] = [];
  const verdicts = [
    judge("all platforms have the same code", () => {
      const isOne = layers.every((other) => other && other.descriptor.digest === layer?.descriptor.digest);
      return isOne ? undefined : "the last layers of its platforms differ";
    }),
    judge("the bill of materials lists the files of the layer", () => compareFiles(readSbom(documents), unpack(bytes))),
    judge("the bill of materials lists the packages of the layer", () =>
      comparePackages(readSbom(documents), unpack(bytes)),
    ),
    judge("the provenance is the image's", () => {
      const statements = readAll<Statement>(documents.get(provenanceType), statementShape);
      const own = statements.filter((each) => isAbout(each, digest));
      origins.push(...own.map(readOrigin));
      if (statements.length === 0) return "no provenance is attached";
      return own.length > 0 ? undefined : `it is about another image, or not of type ${slsaType}`;
    }),
  ];
  // The same image may have been built with and without changes.
  return { digest, verdicts, origin: origins.find(({ isChanged }) => !isChanged) ?? origins[0] };
}

function judge(rule: string, check: () => string | undefined): Verdict {
  try {
    const failure = check();
    return { rule, ...(failure !== undefined && { failure }) };
  } catch (error) {
    return { rule, failure: (error as Error).message };
  }
}

/** Reads the documents that are attached to an image, by their types. */
async function readDocuments(image: ImageReference, registry: RegistryClient): Promise<Map<string, string[]>> {
  const documents = new Map<string, string[]>();
  const wanted = new Set<string>([sbomTypes.cyclonedx, provenanceType]);
  for (const { artifactType = "", digest } of await registry.listReferrers(image, image.digest!)) {
    if (!wanted.has(artifactType)) continue;
    const { manifest } = await registry.readManifest({ ...image, digest });
    for (const layer of manifest.layers ?? []) {
      const text = (await registry.blob(image, layer)).toString("utf8");
      documents.set(artifactType, [...(documents.get(artifactType) ?? []), text]);
    }
  }
  return documents;
}

function readAll<T>(texts: readonly string[] = [], shape: Shape): T[] {
  return texts.map((text) => readShape(JSON.parse(text), shape, "the document") as T);
}

/** Returns the bill of materials that was attached last. */
function readSbom(documents: ReadonlyMap<string, readonly string[]>): Sbom {
  const [sbom] = readAll<Sbom>(documents.get(sbomTypes.cyclonedx)?.slice(-1), sbomShape);
  if (!sbom) throw new Error("no bill of materials is attached");
  return sbom;
}

/** A bundle with its source maps is much smaller. */
const mostBytes = 512 << 20;

function unpack(layer: Uint8Array | undefined): Map<string, Buffer> {
  const archive = layer ? gunzipSync(layer, { maxOutputLength: mostBytes }) : Buffer.alloc(1024);
  return new Map(readTar(archive).map(({ path, body }) => [path, Buffer.from(body)]));
}

function compareFiles(sbom: Sbom, files: ReadonlyMap<string, Buffer>): string | undefined {
  const listed = new Map(
    sbom.metadata.component.components.map(({ name, hashes }) => [
      name.replace(/^\//, ""),
      hashes.find(({ alg }) => alg === "SHA-256")?.content,
    ]),
  );
  const present = [...files].filter(([path]) => !path.startsWith("licenses/"));
  const changed = present.filter(
    ([path, body]) => listed.get(path) !== createHash("sha256").update(body).digest("hex"),
  );
  const wrong = [...changed.map(([path]) => path), ...[...listed.keys()].filter((path) => !files.has(path))];
  if (present.length === 0) return "the layer has no files";
  return wrong.length > 0 ? `it differs in ${wrong.join(", ")}` : undefined;
}

/** Source maps name the files that a bundle consists of. */
function comparePackages(sbom: Sbom, files: ReadonlyMap<string, Buffer>): string | undefined {
  const maps = [...files].filter(([path]) => path.endsWith(".map")).map(([, body]) => body.toString("utf8"));
  const sources = readAll<{ sources: string[] }>(maps, mapShape).flatMap((map) => map.sources);
  const names = sources.map((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(`/${path}`)?.[1]);
  const listed = new Set(sbom.components.map(({ name }) => name));
  const missing = new Set(names.filter((name) => name !== undefined && !listed.has(name)));
  return missing.size > 0 ? `it lacks ${[...missing].join(", ")}` : undefined;
}

function isAbout({ predicateType, subject }: Statement, digest: string): boolean {
  return predicateType === slsaType && subject.some((each) => `sha256:${each.digest.sha256}` === digest);
}

function readOrigin({ predicate }: Statement): Origin {
  const { externalParameters, resolvedDependencies } = predicate.buildDefinition;
  const digestOf = (name: string) => resolvedDependencies.find((each) => each.name === name)?.digest ?? {};
  const { gitCommit: commit = "" } = digestOf("source");
  return {
    // It becomes an argument of git.
    commit: /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined,
    isChanged: externalParameters.source.isChanged ?? false,
    baseDigest: `sha256:${digestOf("base")["sha256"]}`,
    created: externalParameters.created,
  };
}
