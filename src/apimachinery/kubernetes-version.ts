/** The Kubernetes version of the recorded resources, types and answers. */
export const kubernetesVersion = "1.36.3";

/** Its minor release, such as `1.36`. */
export const kubernetesRelease: string = kubernetesVersion.split(".").slice(0, 2).join(".");
