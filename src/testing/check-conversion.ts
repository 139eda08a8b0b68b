import { apiVersionOf, type Kind } from "../apimachinery/kind.ts";
import type { JsonSchema } from "../apimachinery/json-schema.ts";
import type { KubeObject, UnstructuredObject } from "../apimachinery/meta.ts";
import type { Conversion } from "../check/conversion/conversion.ts";
import type { Convert } from "../check/conversion/convert-each.ts";
import type { Version } from "../check/conversion/version.ts";
import type { Client } from "../client/client.ts";
import type { Converter } from "../runtime/webhook/converter.ts";
import type { CheckedResult } from "./check-operator.ts";

/** Options of `checkConversion`. */
export interface CheckConversionOptions {
  /** Objects of any version, of which others are made. A field with a pattern needs a text here that matches. */
  readonly samples?: readonly KubeObject[];
  /** A client for a server that calls the webhooks of the kinds. Objects that this server refuses are not reported. */
  readonly client?: Client;
  /** The number of objects to draw; 500 by default. */
  readonly count?: number;
  /** Decides which objects are drawn; 1 by default. */
  readonly seed?: number;
  /** Converts these objects, which a finding names, instead of drawn ones. */
  readonly cases?: readonly Conversion[];
}

/**
 * Draws objects of each version from the schema of its kind, converts them to the first one, the hub, or from it, and
 * back, with and without a change in between, and reports what is lost. It calls the converter in this process, without
 * a server.
 *
 * @example
 * const v1alpha1 = spoke<Memcached, MemcachedV1>(
 *   Memcached,
 *   ({ metadata, spec: { size, ...spec } }) => ({ metadata, spec: { ...spec, ...(size !== undefined && { replicas: size }) } }),
 *   ({ metadata, spec: { replicas, ...spec } }) => ({ metadata, spec: { ...spec, ...(replicas !== undefined && { size: replicas }) } }),
 * );
 * const { report } = await checkConversion(hubSpoke(MemcachedV1, [v1alpha1]), [MemcachedV1, Memcached]);
 * if (report !== "") throw new Error(report);
 */
export async function checkConversion(
  converter: Converter,
  kinds: readonly Kind[],
  { samples = [], client, count = 500, seed = 1, cases }: CheckConversionOptions = {},
): Promise<CheckedResult> {
  const [{ checkConversions }, { acceptedBy }, { planOf, violationOf }, { Findings }, { formatFinding }] =
    await loadConversions();
  const convert: Convert = async (given, apiVersion) => {
    const converted: KubeObject[] = [];
    for (const object of given) converted.push(await converter.convert(object, apiVersion));
    return converted;
  };
  const { losses, objects } = await checkConversions({
    judging: { versions: kinds.map(versionOf), convert, isLenient: false },
    samples: samples as readonly UnstructuredObject[],
    accepts: client && acceptedBy(client),
    count,
    seed,
    cases,
  });
  const findings = new Findings();
  for (const loss of losses) findings.add(planOf(loss), violationOf(loss, true));
  const report = findings.all.map((finding, index) => formatFinding(finding, index + 1, undefined)).join("\n");
  return { findings: findings.all, report, runs: objects };
}

function versionOf(kind: Kind): Version {
  const schema = (kind.schema?.() ?? {}) as JsonSchema;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, isNamespaced: kind.scope === "Namespaced", schema };
}

/** Loads the check when it is used: most tests start a TestEnvironment only. */
function loadConversions() {
  return Promise.all([
    import("../check/conversion/check-conversions.ts"),
    import("../check/conversion/shrink-loss.ts"),
    import("../check/report/describe-loss.ts"),
    import("../check/report/finding.ts"),
    import("../check/report/format-text.ts"),
  ]);
}
