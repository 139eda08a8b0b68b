import { kubernetesVersions, releaseOf } from "../../apimachinery/kubernetes-version.ts";

const releases = kubernetesVersions.map(releaseOf);

/** The help of `--kubernetes-version`. */
export const kubernetesVersionHelp: string = `version of Kubernetes that the embedded API server serves: ${releases.join(" or ")} (default: ${releases[0]})`;
