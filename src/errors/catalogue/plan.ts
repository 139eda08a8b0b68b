/** Errors of `tsop plan`. */
export const planErrors = {
  TSOP_PLAN_CHANGES: {
    message: "the new version changes the cluster",
    hint: "the report above says how",
  },
  TSOP_PLAN_OBJECT_INVALID: {
    message: "{object} can't be copied: {reason}",
    hint: "no API server stores such an object: check what answers at the cluster's address, or copy another namespace: --namespace NAME",
  },
  TSOP_PLAN_NOT_SAVED: {
    message: "the copy can't be written to {file}: {reason}",
    hint: "give a file in a folder that exists and that you may write: --save copy.jsonl",
  },
  TSOP_PLAN_COPY_UNREADABLE: {
    message: "{file} can't be read as a copy of a cluster: {reason}",
    hint: "write it again, with this version of tsop: tsop plan --save {file}",
  },
} as const;
