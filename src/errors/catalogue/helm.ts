/** Errors of the Helm chart. */
export const helmErrors = {
  TSOP_HELM_NO_MANAGER: {
    message: "{file} contains no Deployment, so it is not the operator's manifests",
    hint: "give it what kustomize builds: kubectl kustomize config/default | tsop edit --plugins helm --manifests -",
  },
  TSOP_HELM_OBJECT: {
    message: "{file}: the object {object} can't be a part of a chart: {reason}",
    hint: "correct it in config/, and write the chart again: make helm-chart",
  },
  TSOP_HELM_MANIFESTS: {
    message: "the manifests for the chart are missing: {reason}",
    hint: "write dist/install.yaml with make build-installer, or pipe them: kubectl kustomize config/default | tsop edit --plugins helm --manifests -",
  },
} as const;
