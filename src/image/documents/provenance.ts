import { digestOf } from "../../oci/manifest.ts";
import type { Base } from "../../oci/image/read-base.ts";
import type { Revision } from "../revision.ts";

export const provenanceType = "application/vnd.in-toto+json";
export const slsaType = "https://slsa.dev/provenance/v1";

export interface ProvenanceInput {
  /** The image without its tag, and its digest. */
  readonly subject: { readonly name: string; readonly digest: string };
  readonly base: Base;
  readonly platforms: readonly string[];
  readonly revision: Revision | undefined;
  readonly lock: { readonly file: string; readonly text: string };
  readonly created: Date;
  readonly tsopVersion: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Renders where an image comes from: https://slsa.dev/spec/v1.0/provenance in an in-toto statement. */
export function renderProvenance(input: ProvenanceInput): string {
  const { subject, base, platforms, revision, lock, created, tsopVersion, env } = input;
  const own = `pkg:npm/tsop@${tsopVersion}`;
  const { GITHUB_SERVER_URL: server, GITHUB_WORKFLOW_REF: workflow, GITHUB_REPOSITORY: repository } = env;
  const isGithub = env["GITHUB_ACTIONS"] === "true" && server && workflow;
  const invocationId = isGithub ? `${server}/${repository}/actions/runs/${env["GITHUB_RUN_ID"]}` : undefined;
  const { uri, commit, folder, isChanged } = revision ?? {};
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: subject.name, digest: sha256Of(subject.digest) }],
    predicateType: slsaType,
    predicate: {
      buildDefinition: {
        buildType: "pkg:npm/tsop#image-build/v1",
        externalParameters: {
          base: base.name,
          created: created.toISOString(),
          platforms,
          ...(revision && { source: { uri, folder, isChanged } }),
        },
        internalParameters: { node: process.version },
        resolvedDependencies: [
          ...(revision ? [{ name: "source", uri, digest: { gitCommit: commit } }] : []),
          { name: "base", uri: base.name, digest: sha256Of(base.digest) },
          { name: "lock", uri: lock.file, digest: sha256Of(digestOf(Buffer.from(lock.text))) },
        ],
      },
      runDetails: {
        builder: { id: isGithub ? `${server}/${workflow}` : own, version: { tsop: tsopVersion } },
        ...(invocationId && { metadata: { invocationId } }),
      },
    },
  };
  return `${JSON.stringify(statement)}\n`;
}

function sha256Of(digest: string): { sha256: string } {
  return { sha256: digest.replace("sha256:", "") };
}
