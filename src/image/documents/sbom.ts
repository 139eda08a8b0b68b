import { createHash } from "node:crypto";
import type { BundledPackage, BundledPackages } from "../bundled-packages.ts";

/** What bills of materials are made of. */
export interface SbomInput extends BundledPackages {
  /** The files of the bundle by their paths in the image. */
  readonly files: readonly { readonly path: string; readonly body: Uint8Array }[];
  readonly created: Date;
  readonly tsopVersion: string;
}

export const sbomTypes = {
  cyclonedx: "application/vnd.cyclonedx+json",
  spdx: "application/spdx+json",
} as const;

/** Renders a bill of materials; one that has the same content has the same bytes. */
export function renderSbom(type: keyof typeof sbomTypes, input: SbomInput): string {
  return `${JSON.stringify(type === "spdx" ? spdx(input) : cycloneDx(input), undefined, 2)}\n`;
}

/** https://cyclonedx.org/docs/1.6/json */
function cycloneDx({ own, packages, files, created, tsopVersion }: SbomInput): object {
  const document = {
    metadata: {
      timestamp: created.toISOString(),
      tools: { components: [{ type: "application", name: "tsop", version: tsopVersion }] },
      component: {
        ...component(own, "application"),
        components: files.map(({ path, body }) => ({
          type: "file",
          name: `/${path}`,
          hashes: [{ alg: "SHA-256", content: hex("sha256", body) }],
        })),
      },
    },
    components: packages.map((each) => component(each, "library")),
    dependencies: [own, ...packages].map(({ id, uses }) => ({ ref: id, dependsOn: uses })),
  };
  const serialNumber = `urn:uuid:${uuidOf(document)}`;
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber,
    version: 1,
    ...document,
  };
}

function component(each: BundledPackage, type: "application" | "library"): object {
  const { id, name, version, license, integrity } = each;
  const expression = spdxExpression(license);
  const hash = archiveHash(integrity);
  return {
    type,
    "bom-ref": id,
    name,
    version,
    ...(expression ? { licenses: [{ expression }] } : license ? { licenses: [{ license: { name: license } }] } : {}),
    ...(type === "library" && { scope: "required" }),
    ...(hash && { hashes: [{ alg: hash.algorithm.replace("SHA", "SHA-"), content: hash.value }] }),
    purl: purlOf(each),
  };
}

/** https://spdx.github.io/spdx-spec/v2.3 */
function spdx({ own, packages, created, tsopVersion }: SbomInput): object {
  const all = [own, ...packages];
  const numbers = new Map(all.map(({ id }, index) => [id, `SPDXRef-Package-${index}`]));
  const describes = { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES" };
  const document = {
    name: own.id,
    creationInfo: { created: created.toISOString().replace(/\.\d+Z$/, "Z"), creators: [`Tool: tsop-${tsopVersion}`] },
    packages: all.map((each) => spdxPackage(each, numbers.get(each.id)!)),
    relationships: [
      { ...describes, relatedSpdxElement: numbers.get(own.id) },
      ...all.flatMap(({ id, uses }) =>
        uses.map((other) => ({
          spdxElementId: numbers.get(id),
          relationshipType: "DEPENDS_ON",
          relatedSpdxElement: numbers.get(other),
        })),
      ),
    ],
  };
  const documentNamespace = `https://spdx.org/spdxdocs/${encodeURIComponent(own.name)}-${uuidOf(document)}`;
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    documentNamespace,
    ...document,
  };
}

function spdxPackage(each: BundledPackage, id: string): object {
  const hash = archiveHash(each.integrity);
  return {
    SPDXID: id,
    name: each.name,
    versionInfo: each.version,
    downloadLocation: each.resolved ?? "NOASSERTION",
    filesAnalyzed: false,
    licenseConcluded: "NOASSERTION",
    licenseDeclared: spdxExpression(each.license) ?? "NOASSERTION",
    copyrightText: "NOASSERTION",
    ...(hash && { checksums: [{ algorithm: hash.algorithm, checksumValue: hash.value }] }),
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purlOf(each) }],
  };
}

/** Returns a license if it is an expression; package.json may also name a file, or `UNLICENSED`. */
function spdxExpression(license: string | undefined): string | undefined {
  const isExpression = typeof license === "string" && /^[\w.+()-]+(\s+(AND|OR|WITH)\s+[\w.+()-]+)*$/.test(license);
  return isExpression && license !== "UNLICENSED" ? license : undefined;
}

function archiveHash(integrity: string | undefined): { algorithm: string; value: string } | undefined {
  const [, algorithm, value] = /^(sha\d+)-(\S+)/.exec(integrity ?? "") ?? [];
  return algorithm && value
    ? { algorithm: algorithm.toUpperCase(), value: Buffer.from(value, "base64").toString("hex") }
    : undefined;
}

/** https://github.com/package-url/purl-spec */
function purlOf({ name, version }: BundledPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${encodeURIComponent(version)}`;
}

function hex(algorithm: string, body: Uint8Array): string {
  return createHash(algorithm).update(body).digest("hex");
}

/** Returns a UUID that depends on the content alone: version 8 of RFC 9562. */
function uuidOf(document: object): string {
  const digits = hex("sha256", Buffer.from(JSON.stringify(document)));
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return [...parts, digits.slice(20, 32)].join("-");
}
