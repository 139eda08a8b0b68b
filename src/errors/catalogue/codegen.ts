/** Errors in a project's types and markers. Most are diagnostics with a position. */
export const codegenErrors = {
  TSOP_SCHEMA_REFUSED: {
    message: "the schema of a CRD can't express {path}, which {reason}",
    hint: "use types that JSON has: objects, lists, records, unions, enums, texts, numbers, and limits of them",
  },
  TSOP_SCHEMA_EVALUATION: {
    message: "the schemas in {files} can't be evaluated: {reason}",
    hint: "import only what a schema needs, and one that follows Standard JSON Schema: of zod 4.2, of ArkType 2.1.28, or from toStandardJsonSchema of Valibot",
  },
  TSOP_SYNTAX: { message: "{reason}", hint: "the file does not parse as TypeScript; fix it first" },
  TSOP_MARKER_UNKNOWN: { message: "there is no marker +{name}", hint: "{advice}" },
  TSOP_MARKER_MISPLACED: { message: "+{name} does nothing {place}", hint: "it describes {targets}: move it there" },
  TSOP_MARKER_SYNTAX: { message: "+{name}: {reason}", hint: "{advice}" },
  TSOP_MARKER_MISFIT: { message: "+{name}: {reason}", hint: "{advice}" },
  TSOP_TYPE_UNKNOWN: { message: "{path}: there is no type {name} here", hint: "{advice}" },
  TSOP_TYPE_UNSUPPORTED: { message: "{path}: {what} has no form in a CRD schema", hint: "{advice}" },
  TSOP_TYPE_RECURSIVE: {
    message: "{path}: the type contains itself: {cycle}",
    hint: "a CRD schema can't be recursive: put +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields on one of these fields",
  },
  TSOP_TYPE_LARGE: {
    message: "{name}: the schema of the type has more than {most} parts, because each use of a type is written out",
    hint: "a server accepts at most 1.5 MiB: use fewer types twice, or put +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields on a field",
  },
  TSOP_TYPE_CONFLICT: { message: "{path}: {reason}", hint: "{advice}" },
  TSOP_KIND_INVALID: { message: "{kind}: {reason}", hint: "{advice}" },
  TSOP_KIND_LOST: {
    message:
      "{kind} has no comment +kubebuilder:object:root=true, but PROJECT has the kind in {group}/{version}; nothing was generated",
    hint: "write // +kubebuilder:object:root=true above the type, or remove the kind: {removal}",
  },
  TSOP_KIND_MISSING: {
    message: "no type {kind} is in the folder of {group}/{version}, but PROJECT has the kind; nothing was generated",
    hint: "restore its file, such as git checkout -- api, or remove the kind: {removal}",
  },
  TSOP_WEBHOOK_INVALID: { message: "webhook {name}: {reason}", hint: "{advice}" },
  TSOP_WEBHOOK_UNCALLED: {
    message: "webhook {name} is never called for {what}, because {group} does not have it",
    hint: "{advice}",
  },
  TSOP_PERMISSION_MISSPELLED: {
    message: "+kubebuilder:rbac: unknown {what}",
    hint: "did you mean {meant}?",
  },
  TSOP_PERMISSION_UNKNOWN: {
    message: "+kubebuilder:rbac: the project has no resource {resource} in the group {group}",
    hint: "{advice}",
  },
  TSOP_CACHE_HOLDS_ALL: {
    message: "the cache holds all {plural} of the cluster",
    hint: "in the options of createManager, read {kind} from the server (client.cache.disableFor), or select some by labels, fields or namespaces (cache.byKind); if names and labels are enough, watch with metadataOnly: true",
  },
  TSOP_ROLE_POWERLESS: {
    message: "a Role of the namespace {namespace} gives no access to {plural}, which are of cluster scope",
    hint: "remove namespace= from the markers of {plural}, and bind the ClusterRole {role} to the service account by a ClusterRoleBinding in config/rbac",
  },
  TSOP_CRD_REFUSED: { message: "{path}: {reason}", hint: "{advice}" },
  TSOP_CRD_ADVICE: { message: "{path}: {reason}", hint: "{advice}" },
  // Kinds that another project defines.
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
  TSOP_CRD_SIDE: {
    message: "{side} is neither a file or folder, nor a revision of git that has CustomResourceDefinitions there",
    hint: "name a file, a folder, cluster, or a revision with a path: tsop crd diff v1.2.0:config/crd/bases config/crd/bases",
  },
  TSOP_CRD_BREAKS: {
    message: "{changes} of the CRDs may break users",
    hint: "serve them in a new version: tsop create api --help; or give new required fields a default",
  },
  TSOP_CRD_OWN: {
    message: "kind {kind} of {group}/{version} belongs to this project, so it needs no types from elsewhere",
    hint: "import it from the project's api folder, or name another source",
  },
} as const;
