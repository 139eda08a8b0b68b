import { csvKind } from "../../csv/csv.ts";
import { isSupported } from "../../bundle/bundle.ts";
import type { Rule } from "../finding.ts";

/** Checks the objects that OLM installs. */
export const checkObjects: Rule = ({ objects }, report) => {
  for (const object of objects) {
    const { apiVersion, kind, metadata } = object;
    if (!isSupported(object)) {
      const detail = "OLM does not install objects of this kind from a bundle of type registry+v1";
      report("error", "unsupported-kind", detail, { value: `${apiVersion}, Kind=${kind}` });
    }
    if (kind === csvKind) continue;
    const error = (field: string, detail: string): void =>
      report("error", "object-metadata", detail, { field, value: metadata.name ?? "" });
    // OLM does not read objects of unknown kinds.
    if (kind && !metadata.name && !metadata["generateName"]) error("metadata.name", "must be set");
    if (metadata.namespace) error("metadata.namespace", "must not be set: OLM chooses the namespace");
    for (const [key, value] of Object.entries(metadata.labels ?? {})) {
      if (!isQualifiedName(key)) error("metadata.labels", `"${key}" is not a label key`);
      if (!isLabelValue(value)) error("metadata.labels", `"${value}" is not a label value`);
    }
    for (const key of Object.keys(metadata.annotations ?? {})) {
      if (!isQualifiedName(key.toLowerCase())) error("metadata.annotations", `"${key}" is not an annotation key`);
    }
  }
};

/** Reports service accounts that OLM creates itself. */
export const checkServiceAccounts: Rule = ({ objects, csv }, report) => {
  const deployments = csv.spec.install?.spec?.deployments ?? [];
  const own = new Set(deployments.map(({ spec }) => spec.template?.spec?.serviceAccountName));
  for (const { kind, metadata } of objects) {
    if (kind !== "ServiceAccount" || !own.has(metadata.name)) continue;
    const detail = "OLM creates this ServiceAccount from the CSV; remove it from the manifests";
    report("error", "service-account", detail, { value: metadata.name ?? "" });
  }
};

/** Checks the size: OLM stores a bundle in a ConfigMap, compressed and in base64. */
export const checkSize: Rule = async ({ manifests, content }, report) => {
  const most = 1 << 20;
  const texts = manifests.map((path) => content.get(path)!);
  // Compressing takes longer than all other rules, and few bundles are large enough to matter. Base64 adds a third to a
  // text, and gzip adds some bytes to incompressible data.
  if (sumOf(texts, (text) => base64Length(Buffer.byteLength(text) * 1.01 + 100)) < 0.85 * most) return;
  const { gzipSync } = await import("node:zlib");
  const size = sumOf(texts, (text) => base64Length(gzipSync(text).length));
  const detail = `the packed bundle has ${size} bytes; OLM accepts at most ${most}`;
  if (size > most) report("error", "bundle-size", detail);
  else if (size > 0.85 * most) report("warning", "bundle-size", detail);
};

/** Checks that the CRDs of a bundle are those that its CSV owns. */
export const checkOwnedCrds: Rule = ({ crds, csv }, report) => {
  const keys = crds.flatMap(({ spec }) => {
    const versions = spec.versions ?? [{ name: spec.version ?? "" }];
    return versions.map(({ name }) => ({ group: spec.group, version: name, kind: spec.names?.kind }));
  });
  const text = ({ group, version, kind }: (typeof keys)[number]): string => `${group}/${version}, Kind=${kind}`;
  const error = (rule: string, value: string, detail: string): void => report("error", rule, detail, { value });
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(text(key))) error("crd-twice", text(key), "the bundle contains this version of the CRD twice");
    seen.add(text(key));
  }
  const fine = new Set<string>();
  for (const { name, version, kind } of csv.spec.customresourcedefinitions?.owned ?? []) {
    const key = { group: name.slice(name.indexOf(".") + 1), version, kind };
    if (seen.has(text(key))) fine.add(`${key.group} ${kind}`);
    else error("owned-crd-missing", text(key), "the CSV owns this CRD, but the bundle does not contain it");
  }
  for (const key of new Map(keys.map((key) => [text(key), key])).values()) {
    if (!fine.has(`${key.group} ${key.kind}`)) {
      error("crd-not-owned", text(key), "the bundle contains this CRD, but the CSV does not own it");
    }
  }
};

function sumOf(texts: readonly string[], sizeOf: (text: string) => number): number {
  return texts.reduce((sum, text) => sum + sizeOf(text), 0);
}

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

function isQualifiedName(key: string): boolean {
  const [name, prefix] = key.split("/").reverse();
  const isPrefixed = prefix === undefined || /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(prefix);
  return isPrefixed && key.split("/").length <= 2 && /^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(name ?? "");
}

function isLabelValue(value: string): boolean {
  return value === "" || /^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(value);
}
