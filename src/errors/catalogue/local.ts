/** Errors of `tsop run --local`: building and running the operator of a project. */
export const localErrors = {
  TSOP_DEPENDENCIES_MISSING: {
    message: "{package} is not installed in {root}",
    hint: "cd {root} && {install}",
  },
  TSOP_ENTRY_MISSING: {
    message: "{root} has no main.ts",
    hint: "restore it: git checkout -- main.ts",
  },
  TSOP_CRDS_NOT_INSTALLED: {
    message: "the cluster does not serve: {crds}",
    hint: "tsop run --local --install, which puts the project's CRDs on that cluster",
  },
  TSOP_WATCH_LIMIT: {
    message: "the folders of the project can't be watched: {reason}",
    hint: "other programs use up this user's share: end one that watches files, such as another editor, or raise the limits, on Linux with: sudo sysctl fs.inotify.max_user_instances=512 fs.inotify.max_user_watches=524288",
  },
  TSOP_OPERATOR_ENDED: {
    message: "the operator ended: {reason}",
    hint: "see its last lines above; their positions refer to your TypeScript files",
  },
} as const;
