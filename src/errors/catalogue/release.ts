/** Errors of what is asked before a release: `tsop roles`. */
export const releaseErrors = {
  TSOP_ROLES_DIFFER: {
    message: "the roles do not fit what was recorded",
    hint: "the report above says how; tsop roles --fix changes the markers of a project",
  },
  TSOP_ROLES_NOT_RECORDED: {
    message: "no requests are recorded in {file}",
    hint: "record some: tsop check, tsop run --local --rbac, or TSOP_ROLES={file} npm test",
  },
  TSOP_ROLES_FILE_INVALID: {
    message: "{file} is not a record of requests: {reason}",
    hint: "delete it, and record again: tsop check",
  },
  TSOP_ROLES_NO_ACCOUNT: {
    message: "the manifests do not show which service account the operator has",
    hint: "name it: --account NAMESPACE/NAME",
  },
} as const;
