/** The Kubernetes versions whose resources, types and answers are recorded, the newest first. */
export const kubernetesVersions: readonly string[] = ["1.37.2", "1.36.3"];

/** The version that the embedded server serves unless another one is named, and that the types describe. */
export const kubernetesVersion: string = "1.37.2";

/** Its minor release, such as `1.37`. */
export const kubernetesRelease: string = releaseOf(kubernetesVersion);

/** Returns the minor release of a version. */
export function releaseOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

/** Reports whether a version has what a minor release has changed. */
export function isSince(version: string, release: string): boolean {
  return minorOf(version) >= minorOf(release);
}

/** Returns the number of the minor release; the major one is always 1. */
function minorOf(version: string): number {
  return Number(version.split(".")[1]);
}

/** Returns the recorded version that a text means, as setup-envtest takes it: `1.36`, `1.36.x`, `v1.36.3`. */
export function findKubernetesVersion(wanted: string): string | undefined {
  const parts = wanted.replace(/^v/, "").replace(/!$/, "").split(".");
  if (parts.length > 3) return undefined;
  return kubernetesVersions.find((version) => {
    const served = version.split(".");
    return parts.every((part, index) => part === served[index] || (index > 0 && /^[x*]$/.test(part)));
  });
}
