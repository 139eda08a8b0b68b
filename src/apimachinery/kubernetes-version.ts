/** The Kubernetes version whose resources, types and answers are recorded in this tree. */
export const kubernetesVersion = "1.36.3";

/** The minor release of it, such as `1.36`. */
export const kubernetesRelease: string = kubernetesVersion.split(".").slice(0, 2).join(".");
