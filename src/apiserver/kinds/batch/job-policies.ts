import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import {
  type FieldError,
  duplicate,
  invalid,
  invalidWhole,
  required,
  tooMany,
} from "../../../apimachinery/field-error.ts";
import { labelKeyErrors } from "../rules/name-errors.ts";
import { negativeErrors, repeatedIndexes, wordErrors } from "../rules/value-errors.ts";
import { countIndexes, parseIndexes } from "./index-intervals.ts";

const mostRules = 20;
const mostValues = 255;

/** Returns the errors in the rules by which a failed pod counts. */
export function failurePolicyErrors(spec: Fields, at: string): FieldError[] {
  const policy = childIf(spec, "podFailurePolicy");
  if (!policy) return [];
  const rules = items(policy, "rules");
  return [
    ...countErrors(rules.length, `${at}.rules`),
    ...rules.flatMap((rule, index) => failureRuleErrors(rule, `${at}.rules[${index}]`, spec)),
  ];
}

function countErrors(count: number, at: string): FieldError[] {
  return count > mostRules ? [tooMany(at, count, mostRules)] : [];
}

/** Returns an error that lists the words, unless it is one of them. */
function choiceErrors(word: unknown, at: string, words: readonly string[]): FieldError[] {
  if (word) return wordErrors(at, word, words);
  return [required(at, `valid values: [${words.map((each) => JSON.stringify(each)).join(" ")}]`)];
}

function failureRuleErrors(rule: Fields, at: string, spec: Fields): FieldError[] {
  const codes = childIf(rule, "onExitCodes");
  const conditions = items(rule, "onPodConditions");
  const hasConditions = conditions.length > 0;
  return [
    ...choiceErrors(rule["action"], `${at}.action`, ["Count", "FailIndex", "FailJob", "Ignore"]),
    ...(rule["action"] === "FailIndex" && spec["backoffLimitPerIndex"] === undefined
      ? [invalid(`${at}.action`, "FailIndex", "requires the backoffLimitPerIndex to be set")]
      : []),
    ...(codes ? exitCodeErrors(codes, `${at}.onExitCodes`, spec) : []),
    ...countErrors(conditions.length, `${at}.onPodConditions`),
    ...conditions.flatMap(({ type, status }, index) => [
      ...labelKeyErrors(`${at}.onPodConditions[${index}].type`, textOf(type)),
      ...wordErrors(`${at}.onPodConditions[${index}].status`, status, ["False", "True", "Unknown"]),
    ]),
    ...(codes && hasConditions
      ? [invalidWhole(at, "specifying both OnExitCodes and OnPodConditions is not supported")]
      : []),
    ...(codes || hasConditions
      ? []
      : [invalidWhole(at, "specifying one of OnExitCodes and OnPodConditions is required")]),
  ];
}

function exitCodeErrors({ operator, containerName, values }: Fields, at: string, spec: Fields): FieldError[] {
  const codes = (values ?? []) as number[];
  const pods = childIf(childIf(spec, "template"), "spec");
  const containers = ["containers", "initContainers"].flatMap((list) => items(pods, list).map(({ name }) => name));
  const isOrdered = codes.every((code, index) => index === 0 || codes[index - 1]! <= code);
  return [
    ...choiceErrors(operator, `${at}.operator`, ["In", "NotIn"]),
    ...(containerName === undefined || containers.includes(containerName)
      ? []
      : [
          invalid(
            `${at}.containerName`,
            containerName,
            "must be one of the container or initContainer names in the pod template",
          ),
        ]),
    ...(codes.length === 0 ? [invalid(`${at}.values`, values ?? null, "at least one value is required")] : []),
    ...(codes.length > mostValues ? [tooMany(`${at}.values`, codes.length, mostValues)] : []),
    ...codes.flatMap((code, index) =>
      code === 0 && operator === "In"
        ? [invalid(`${at}.values[${index}]`, 0, "must not be 0 for the In operator")]
        : [],
    ),
    ...[...repeatedIndexes(codes)].map((index) => duplicate(`${at}.values[${index}]`, codes[index])),
    ...(isOrdered ? [] : [invalid(`${at}.values`, codes, "must be ordered")]),
  ];
}

/** Returns the errors in the rules by which an indexed job succeeds early. */
export function successPolicyErrors(spec: Fields, at: string): FieldError[] {
  const rules = items(childIf(spec, "successPolicy"), "rules");
  const none = "at least one rules must be specified when the successPolicy is specified";
  return [
    ...(rules.length === 0 ? [required(`${at}.rules`, none)] : []),
    ...countErrors(rules.length, `${at}.rules`),
    ...rules.flatMap((rule, index) =>
      successRuleErrors(rule, `${at}.rules[${index}]`, Number(spec["completions"] ?? 0)),
    ),
  ];
}

function successRuleErrors(rule: Fields, at: string, completions: number): FieldError[] {
  const { succeededCount: count, succeededIndexes } = rule;
  const text = textOf(succeededIndexes);
  const indexes = parseIndexes(text, completions);
  const refuse = (most: number, what: string): FieldError[] =>
    Number(count ?? 0) > most
      ? [invalid(`${at}.succeededCount`, count, `must be less than or equal to ${most} (the number of ${what})`)]
      : [];
  return [
    ...(count === undefined && succeededIndexes === undefined
      ? [required(at, "at least one of succeededCount or succeededIndexes must be specified")]
      : []),
    ...(indexes.problem === undefined
      ? []
      : [invalid(`${at}.succeededIndexes`, text, `error parsing succeededIndexes: ${indexes.problem}`)]),
    ...negativeErrors(rule, at, ["succeededCount"]),
    ...refuse(completions, "specified completions"),
    ...(succeededIndexes === undefined
      ? []
      : refuse(countIndexes(indexes), "indexes in the specified succeededIndexes field")),
  ];
}
