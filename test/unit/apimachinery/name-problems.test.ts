import { describe, expect, it } from "vitest";
import {
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  fieldError,
  invalidError,
  labelKeyProblems,
  labelValueProblems,
} from "../../../src/index.ts";

describe("what is wrong with a name", () => {
  it.each<[string, (value: string) => string[], [string, string], string]>([
    ["a label", dnsLabelProblems, ["a-1", "1.a"], "must not contain dots"],
    ["a long label", dnsLabelProblems, ["a".repeat(63), "a".repeat(64)], "must be no more than 63 characters"],
    ["a subdomain", dnsSubdomainProblems, ["a.1", "A"], "a lowercase RFC 1123 subdomain must consist of"],
    ["a DNS-1035 label", dns1035LabelProblems, ["a-1", "1-a"], "a DNS-1035 label must consist of"],
    ["a label's key", labelKeyProblems, ["example.com/a", "/a"], "prefix part must be non-empty"],
    ["a label's value", labelValueProblems, ["", "a b"], "a valid label must be an empty string or consist of"],
  ])("%s", (_, problems, [right, wrong], message) => {
    expect(problems(right)).toEqual([]);
    expect(problems(wrong)).toEqual([expect.stringContaining(message)]);
  });
});

it("words the causes of an error 422 as the API server does", () => {
  const causes = [
    fieldError.invalid("spec.size", 2, "must be odd"),
    fieldError.required("spec.image"),
    fieldError.notSupported("spec.mode", "x", ["a", "b"]),
    fieldError.forbidden("spec.ports[0]", "is reserved"),
  ];
  const { status } = invalidError({ group: "example.com", kind: "Memcached" }, "sample", causes);
  expect(status.message).toBe(
    'Memcached.example.com "sample" is invalid: [spec.size: Invalid value: 2: must be odd, spec.image: Required value, ' +
      'spec.mode: Unsupported value: "x": supported values: "a", "b", spec.ports[0]: Forbidden: is reserved]',
  );
  expect(status.details?.causes?.map(({ reason }) => reason)).toEqual([
    "FieldValueInvalid",
    "FieldValueRequired",
    "FieldValueNotSupported",
    "FieldValueForbidden",
  ]);
});
