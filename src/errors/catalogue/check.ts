/** Errors of `tsop check`. */
export const checkErrors = {
  TSOP_CHECK_FINDINGS: {
    message: "{findings} in the operator",
    hint: "tsop check --help says what each class and rule means; repeat one with --replay, accept known ones with --accept",
  },
  TSOP_CHECK_NOTHING_JUDGED: {
    message: "no run could be judged: {why}",
    hint: "{fix}",
  },
  TSOP_CHECK_NOT_SIMULATED: {
    message: "the operator can't be simulated: {why}",
    hint: "leave --engine out, or run it as processes: --engine processes",
  },
  TSOP_CHECK_INTERRUPTED: {
    message: "the check was interrupted before it was done",
    hint: "run it again, or give it less to do with --only or --budget",
  },
  TSOP_CHECK_CONDITION_MISSED: {
    message: "{object} did not get the condition {condition}={status}",
    hint: "the scenario waits for it: check the operator's log, or change the step",
  },
  TSOP_CHECK_NO_SAMPLE: {
    message: "there is no sample to check with: {path} has no custom resource of the project",
    hint: "fill the samples in config/samples, or give others with --sample FILE",
  },
  TSOP_CHECK_OPERATOR_SILENT: {
    message: "the operator did not begin to watch its kinds: {reason}",
    hint: "it has the environment of this command, and its flags belong in --exec or after --; try it by hand with KUBECONFIG set to a tsop sandbox: it must stay in the foreground",
  },
  TSOP_CHECK_WEBHOOKS_SILENT: {
    message: "the operator does not serve its webhooks at port {port}: {reason}",
    hint: "serve them at $TSOP_WEBHOOK_PORT, with the certificate in $TSOP_WEBHOOK_CERT_DIR, or leave them out: with an --exec that does not name the port, or, in a project, with ENABLE_WEBHOOKS=false",
  },
  TSOP_CHECK_NO_OLDER_VERSION: {
    message: "the run needs the older version of the operator, from which it is upgraded",
    hint: "name it with --upgrade-from REVISION, or with --upgrade-from-exec COMMAND; in a test with `upgradeFrom`",
  },
  TSOP_CHECK_OLDER_VERSION: {
    message: "the older version can't be checked: {reason}",
    hint: "see that it works with tsop sandbox, and give it its own CRDs and samples if they differ: --upgrade-from-apply, --upgrade-from-sample",
  },
  TSOP_CHECK_REVISION: {
    message: "the revision {revision} of the project can't be checked out: {reason}",
    hint: "give a tag, a branch or a commit of the git repository that has the project",
  },
  TSOP_CHECK_SCENARIO_INVALID: {
    message: "{file}: {reason}",
    hint: "a scenario has `steps`, each with `name` and one of `apply`, `patch`, `delete`, `waitFor`",
  },
  TSOP_CHECK_FILE_INVALID: {
    message: "{file} can't be used: {reason}",
    hint: "{fix}",
  },
} as const;
