/** Errors in a project's types and markers. Most are diagnostics with a position. */
export const codegenErrors = {
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
  TSOP_ROLE_POWERLESS: {
    message: "a Role of the namespace {namespace} gives no access to {plural}, which are of cluster scope",
    hint: "remove namespace= from the markers of {plural}, and bind the ClusterRole {role} to the service account by a ClusterRoleBinding in config/rbac",
  },
  TSOP_CRD_REFUSED: { message: "{path}: {reason}", hint: "{advice}" },
  TSOP_CRD_ADVICE: { message: "{path}: {reason}", hint: "{advice}" },
} as const;
