/** Errors in the use of kinds that another project defines. */
export const externalErrors = {
  TSOP_CRD_NONE: {
    message: "{source} has no CustomResourceDefinition; it has {found}",
    hint: "name the file or the folder that has them: tsop create api --from-crd config/crd/bases",
  },
  TSOP_CRD_SOURCE: {
    message: "there is no file or folder {source}",
    hint: "check the path; for one on a server, give its URL: tsop create api --from-crd https://…",
  },
  TSOP_CRD_SOURCE_LARGE: {
    message: "{source} has more than {most} files and folders",
    hint: "name the file or the folder that has the CustomResourceDefinitions",
  },
  TSOP_CRD_URL: {
    message: "{url} can't be read: {reason}",
    hint: "check the address: curl -fL {url}; or download it and name the file: tsop create api --from-crd ./crds.yaml",
  },
  TSOP_CRD_UNKNOWN: {
    message: "the cluster has no CustomResourceDefinition {name}",
    hint: "{advice}",
  },
  TSOP_CRD_GROUPS: {
    message: "{source} has kinds of several groups, which can't share the folder {output}: {groups}",
    hint: "omit --output, so that each group gets its own folder, or name a source with one group",
  },
  TSOP_CRD_OUTPUT: {
    message: "the types can't be written to {output}: it is not the path of a folder of the project",
    hint: "name a folder of the project: --output api/external/cert-manager",
  },
  TSOP_CRD_UNUSABLE: {
    message: "{source}: CustomResourceDefinition {name} can't become types: {reason}",
    hint: "check it with a server: kubectl create --dry-run=server -f FILE",
  },
  TSOP_CRD_NO_SOURCES: {
    message: "PROJECT records no CustomResourceDefinitions of other projects",
    hint: "name some: tsop create api --from-crd <file, folder or URL>",
  },
  TSOP_CRD_OWN: {
    message: "kind {kind} of {group}/{version} belongs to this project, so it needs no types from elsewhere",
    hint: "import it from the project's api folder, or name another source",
  },
} as const;
