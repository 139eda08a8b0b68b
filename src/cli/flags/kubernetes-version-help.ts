import { kubernetesRelease, kubernetesVersions, releaseOf } from "../../apimachinery/kubernetes-version.ts";

const releases = kubernetesVersions.map(releaseOf).join(" or ");

/** The help of `--kubernetes-version`. */
export const kubernetesVersionHelp: string = `version of Kubernetes that the embedded API server serves: ${releases} (default: ${kubernetesRelease})`;
