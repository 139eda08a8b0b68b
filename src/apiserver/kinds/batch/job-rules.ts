import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { invalid, required as missing } from "../../../apimachinery/field-error.ts";
import {
  enumOf,
  type FieldRule,
  fieldRules,
  format,
  ifParent,
  maxItems,
  maxLength,
  minimum,
  must,
  required,
  type Rows,
  type RowsCheck,
  text,
  unique,
} from "../rules/field-rules.ts";
import { domainPathErrors } from "../rules/name-errors.ts";
import { podTemplateErrors } from "../rules/pod-spec-errors.ts";
import { countIndexes, parseIndexes } from "./index-intervals.ts";

/** The most indexes that run or fail at a time, and those of a job that retries each of more than `many` indexes. */
const [many, fewer] = [100_000, 10_000];
const mostRules = maxItems(20);

const isIndexed = ({ completionMode }: Fields): boolean => completionMode === "Indexed";
const retriesMany = (spec: Fields): boolean =>
  isIndexed(spec) && Number(spec["completions"] ?? 0) > many && spec["backoffLimitPerIndex"] !== undefined;
const limitOf = (spec: Fields): number => (retriesMany(spec) ? fewer : many);

const podOf = (spec: Fields): Fields | undefined => childIf(childIf(spec, "template"), "spec");

/** Checks the restart policy: a pod that always restarts never completes. */
const restarts: FieldRule = (value, at) => {
  const spec = value as Fields;
  const policy = podOf(spec)?.["restartPolicy"];
  if (policy === "Never" || (policy === "OnFailure" && !childIf(spec, "podFailurePolicy"))) return [];
  return [
    invalid(`${at}.template.spec.restartPolicy`, policy, 'must be "Never", or "OnFailure" without podFailurePolicy'),
  ];
};

/** The rules by which a failed pod counts. */
const failurePolicy: Rows = {
  rules: mostRules,
  "rules[]": {
    ".": must(
      (rule: Fields) => !rule["onExitCodes"] === items(rule, "onPodConditions").length > 0,
      "must have one of onExitCodes and onPodConditions",
    ),
    action: must(
      (action, _rule, spec) => action !== "FailIndex" || spec["backoffLimitPerIndex"] !== undefined,
      "requires the backoffLimitPerIndex to be set",
    ),
    onExitCodes: {
      containerName: must(
        (name, _codes, spec) =>
          ["containers", "initContainers"].some((list) =>
            items(podOf(spec), list).some((each) => each["name"] === name),
          ),
        "must be the name of a container in the pod template",
      ),
      values: [
        required(),
        maxItems(255),
        unique(),
        must(
          (codes: number[]) => codes.every((code, index) => index === 0 || codes[index - 1]! <= code),
          "must be ordered",
        ),
      ],
      "values[]": must((code, { operator }) => code !== 0 || operator !== "In", "must not be 0 for the In operator"),
    },
    onPodConditions: mostRules,
    "onPodConditions[]": {
      type: format("k8s-label-key"),
      status: [required(), enumOf("False", "True", "Unknown")],
    },
  },
};

const indexesOf = (value: unknown, { completions }: Fields): ReturnType<typeof parseIndexes> =>
  parseIndexes(textOf(value), Number(completions ?? 0));

/** The rules by which an indexed job succeeds early. */
const successErrors = fieldRules({
  rules: [required(), mostRules],
  "rules[]": {
    ".": must(
      ({ succeededCount, succeededIndexes }: Fields) => succeededCount !== undefined || succeededIndexes !== undefined,
      "must have succeededCount or succeededIndexes",
    ),
    succeededIndexes: must((value, _rule, spec) => indexesOf(value, spec) !== undefined, "must be indexes"),
    succeededCount: [
      minimum(0),
      must((count: number, { succeededIndexes: indexes }, spec) => {
        const most = indexes === undefined ? Infinity : countIndexes(indexesOf(indexes, spec));
        return count <= Math.min(most, Number(spec["completions"] ?? 0));
      }, "must not be more than the number of completions or of succeededIndexes"),
    ],
  },
});

/** Returns the errors in the spec of a job or of a template for one, apart from its selector. */
export const jobSpecErrors: RowsCheck = fieldRules({
  ".": restarts,
  "(parallelism|completions|activeDeadlineSeconds|backoffLimit|ttlSecondsAfterFinished)": minimum(0),
  "(backoffLimitPerIndex|maxFailedIndexes)": minimum(0),
  "(backoffLimitPerIndex|maxFailedIndexes|successPolicy)": must(
    (_value, spec) => isIndexed(spec),
    "requires indexed completion mode",
  ),
  template: (template, at) => podTemplateErrors(template as Fields | undefined, at),
  completions: ifParent(isIndexed, required("when completion mode is Indexed")),
  parallelism: must((count: number, spec) => !isIndexed(spec) || count <= limitOf(spec), "must not be above the limit"),
  backoffLimitPerIndex: (limit, at, { maxFailedIndexes }) =>
    maxFailedIndexes !== undefined && limit === undefined ? [missing(at, "when maxFailedIndexes is specified")] : [],
  maxFailedIndexes: [
    ifParent(retriesMany, required(`must be specified when completions is above ${many}`)),
    must(
      (count: number, spec) =>
        !isIndexed(spec) || count <= Math.min(limitOf(spec), Number(spec["completions"] ?? many)),
      "must not be above the limit",
    ),
  ],
  podReplacementPolicy: must(
    (policy, spec) => policy === "Failed" || (policy === "TerminatingOrFailed" && !childIf(spec, "podFailurePolicy")),
    'must be "Failed", or "TerminatingOrFailed" without podFailurePolicy',
  ),
  podFailurePolicy: failurePolicy,
  successPolicy: ifParent(isIndexed, (policy, at, spec) => successErrors(policy as Fields | undefined, at, spec)),
  managedBy: [must((name) => name !== "", "must not be empty"), text(domainPathErrors), maxLength(63)],
});
