import { type Fields, childIf } from "../../../apimachinery/fields.ts";
import { invalid } from "../../../apimachinery/field-error.ts";
import {
  type FieldRule,
  fieldRules,
  ifParent,
  maxLength,
  minimum,
  must,
  required,
  type RowsCheck,
  text,
} from "../rules/field-rules.ts";
import { domainPathErrors } from "../rules/name-errors.ts";
import { podTemplateErrors } from "../rules/pod-spec-errors.ts";

/** The most indexes that run at a time. */
const mostIndexes = 100_000;

const isIndexed = ({ completionMode }: Fields): boolean => completionMode === "Indexed";

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

/** Returns the errors in the spec of a job or of a template for one, apart from its selector. */
export const jobSpecErrors: RowsCheck = fieldRules({
  ".": restarts,
  "(parallelism|completions|activeDeadlineSeconds|backoffLimit|ttlSecondsAfterFinished)": minimum(0),
  template: (template, at) => podTemplateErrors(template as Fields | undefined, at),
  completions: ifParent(isIndexed, required("when completion mode is Indexed")),
  parallelism: must((count: number, spec) => !isIndexed(spec) || count <= mostIndexes, "must not be above the limit"),
  podReplacementPolicy: must(
    (policy, spec) => policy === "Failed" || (policy === "TerminatingOrFailed" && !childIf(spec, "podFailurePolicy")),
    'must be "Failed", or "TerminatingOrFailed" without podFailurePolicy',
  ),
  managedBy: [must((name) => name !== "", "must not be empty"), text(domainPathErrors), maxLength(63)],
});
