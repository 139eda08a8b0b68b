import { execFileSync } from "node:child_process";
import { join } from "node:path";
import {
  isSince,
  kubernetesRelease,
  kubernetesVersions,
  releaseOf,
} from "../../../src/apimachinery/kubernetes-version.ts";
import type { Scenario } from "./scenario.ts";

/** The release of a version, and the scenarios that it has. */
export interface Release {
  readonly version: string;
  readonly release: string;
  readonly has: (scenario: Scenario) => boolean;
}

export const releases: readonly Release[] = kubernetesVersions.map(describeRelease);

/** Returns the release of the programs in a folder. */
export function releaseOfAssets(assets: string): Release {
  const words = execFileSync(join(assets, "kube-apiserver"), ["--version"], { encoding: "utf8" });
  return describeRelease(words.replace("Kubernetes v", "").trim());
}

function describeRelease(version: string): Release {
  const release = releaseOf(version);
  return { version, release, has: ({ since }) => since === undefined || isSince(version, since) };
}

/**
 * Scenarios in which the embedded server does not answer as a release does, with the difference. The default release has
 * none; each of another one must still differ, so that the list only shrinks.
 */
const differences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "1.37": {
    "decisions-subjects": "the reason of a missing role begins with rbac",
    "policy-refusals": "the name of a policy is a DNS subdomain",
    "admission-of-parts": "a LocalSubjectAccessReview does not reach webhooks",
    "webhooks-custom": "metadata that a webhook has made invalid is refused",
    "webhooks-built-in-versions": "a HorizontalPodAutoscaler has a generation",
    "autoscaling-v1": "a HorizontalPodAutoscaler has a generation",
    "controllers-autoscaler": "a HorizontalPodAutoscaler has a generation, and the condition ScaledToZero",
    "controllers-volumes": "a claim has the condition Unused",
    "values-stateful-sets": "maxUnavailable of a rolling update has a default",
    owners: "maxUnavailable of a StatefulSet has an owner",
    "job-suspended": "labels that the server adds to the template of a suspended Job may change",
    "undivided-managers": "managers stay if another version of the kind has fields that theirs lacks",
    "conversion-defaults": "as undivided-managers",
    "conversion-parts": "as undivided-managers",
    "versions-defaults": "as undivided-managers",
    "versions-undeclared": "as undivided-managers",
    "crd-version-leaves": "a patch fails if a manager names a version that is gone",
    "strict-patches": "an invalid strict patch of a missing object is a 400",
  },
};

/** Returns how the embedded server differs from a release in a scenario. */
export function differenceIn(release: string, { name }: Pick<Scenario, "name">): string | undefined {
  return release === kubernetesRelease ? undefined : differences[release]?.[name];
}
