import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { isSince, kubernetesVersions, releaseOf } from "../../../src/apimachinery/kubernetes-version.ts";
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
