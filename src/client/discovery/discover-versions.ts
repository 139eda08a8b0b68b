import { defineKind } from "../../apimachinery/kind.ts";
import type { ApiCaller } from "../calls/api-caller.ts";
import type { CallOptions } from "../client.ts";

interface ApiGroup {
  readonly versions?: readonly { readonly groupVersion: string }[];
  readonly preferredVersion?: { readonly groupVersion: string };
}

/** Returns the apiVersions of a group, the preferred one first. `kind` is for errors. */
export async function discoverVersions(
  caller: ApiCaller,
  { group, kind }: { readonly group: string; readonly kind: string },
  { signal }: CallOptions = {},
): Promise<readonly [string, ...string[]]> {
  // The core group has one version and will not get another.
  if (!group) return ["v1"];
  const asked = defineKind({ group, version: "*", kind, plural: `${kind.toLowerCase()}s` });
  const answer = (await caller.call({ method: "GET", path: `/apis/${group}`, kind: asked, signal })) as ApiGroup;
  const versions = (answer.versions ?? []).map(({ groupVersion }) => groupVersion);
  const preferred = answer.preferredVersion?.groupVersion ?? versions[0] ?? `${group}/v1`;
  return [preferred, ...versions.filter((version) => version !== preferred)];
}
