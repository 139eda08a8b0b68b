import { execFileSync } from "node:child_process";
import { join } from "node:path";
import {
  isSince,
  kubernetesRelease,
  kubernetesVersions,
  releaseOf,
} from "../../../src/apimachinery/kubernetes-version.ts";
import { isRelease } from "../../is-release.ts";
import { hasOwnRecording } from "./recorded.ts";
import type { Scenario } from "./scenario.ts";

/** The release of a version, and the scenarios that it has. */
export interface Release {
  readonly version: string;
  readonly release: string;
  readonly has: (scenario: Scenario) => boolean;
  /**
   * Those that the embedded server runs: of an older release only those that it answers in another way than the default
   * one, because the others run the same code again.
   */
  readonly runs: (scenario: Scenario) => boolean;
}

export const releases: readonly Release[] = kubernetesVersions.map(describeRelease);

/** Returns the release of the programs in a folder. */
export function releaseOfAssets(assets: string): Release {
  const words = execFileSync(join(assets, "kube-apiserver"), ["--version"], { encoding: "utf8" });
  return describeRelease(words.replace("Kubernetes v", "").trim());
}

function describeRelease(version: string): Release {
  const release = releaseOf(version);
  const has = ({ since }: Scenario): boolean => since === undefined || isSince(version, since);
  const isWhole = isRelease || release === kubernetesRelease;
  const runs = (scenario: Scenario): boolean => has(scenario) && (isWhole || hasOwnRecording(scenario.name, release));
  return { version, release, has, runs };
}
