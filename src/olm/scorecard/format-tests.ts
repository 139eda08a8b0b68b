import { escapeHtml } from "../../apimachinery/go-text.ts";
import type { TestResult } from "./built-in-tests.ts";
import type { Test } from "./run-scorecard.ts";

export type TestFormat = "text" | "json" | "xunit";

/** Formats tests and their results in one of operator-sdk's formats. */
export function formatTests(tests: readonly Test[], format: TestFormat): string {
  if (format === "json") return formatJson(tests);
  if (format === "xunit") return formatXunit(tests);
  return tests.length === 0 ? "0 tests selected\n" : tests.map((test) => `${formatText(test)}\n`).join("");
}

function formatText({ spec, results }: Test): string {
  const labels = Object.entries(spec.labels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = [
    "-".repeat(80),
    `Image:      ${spec.image}`,
    ...(spec.entrypoint?.length ? [`Entrypoint: [${spec.entrypoint.join(" ")}]`] : []),
    ...(labels.length > 0 ? ["Labels:", ...labels.map(([key, value]) => `\t"${key}":"${value}"`)] : []),
    ...(results.length > 0 ? ["Results:", ...results.flatMap(resultLines)] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function resultLines({ name, state, suggestions = [], errors = [], log = "" }: TestResult): string[] {
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? [`\t${title}:`, ...lines.map((line) => `\t\t${line}`)] : [];
  return [
    ...(name ? [`\tName: ${name}`] : []),
    `\tState: ${state}`,
    "",
    ...section("Suggestions", suggestions),
    ...section("Errors", errors),
    ...section("Log", log === "" ? [] : log.trimEnd().split("\n")),
    "",
  ];
}

function formatJson(tests: readonly Test[]): string {
  const apiVersion = "scorecard.operatorframework.io/v1alpha3";
  const items = tests.map(({ spec: { image, entrypoint, labels, storage, ...rest }, results }) => ({
    kind: "Test",
    apiVersion,
    // The order of the fields in Go.
    spec: { image, ...pick(rest, "uniqueID"), entrypoint, labels, storage },
    status: results.length > 0 ? { results } : {},
  }));
  const list = { kind: "TestList", apiVersion, items: items.length > 0 ? items : null };
  return `${escapeHtml(JSON.stringify(list, null, 2))}\n`;
}

function pick(fields: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return fields[name] === undefined ? {} : { [name]: fields[name] };
}

function formatXunit(tests: readonly Test[]): string {
  const suites = tests.map(formatSuite).join("");
  return suites
    ? `<testsuites name="scorecard">\n${suites}</testsuites>\n`
    : '<testsuites name="scorecard"></testsuites>\n';
}

function formatSuite({ spec, results }: Test, index: number): string {
  const name = spec.labels?.["test"] ?? `testsuite-${String(index + 1).padStart(3, "0")}`;
  const phase = spec.labels?.["cluster-phase"];
  const properties = {
    "spec.image": spec.image,
    "spec.entrypoint": spec.entrypoint?.join(" ") ?? "",
    "labels.test": name,
    ...(phase === undefined ? {} : { "labels.cluster-phase": phase }),
  };
  const count = (state: string): number => results.filter((result) => result.state === state).length;
  const lines = Object.entries(properties).map(
    ([key, value]) => `      <property name="${key}" value="${escape(value)}"></property>\n`,
  );
  return `  <testsuite name="${escape(name)}" tests="${results.length}" skipped="0" failures="${count("fail")}" errors="${count("error")}">
    <properties>
${lines.join("")}    </properties>
${results.map(formatCase).join("")}  </testsuite>
`;
}

function formatCase({ name = "", state, log = "", errors = [] }: TestResult): string {
  const type = state === "fail" ? "failure" : "error";
  const failure = state === "pass" ? "" : `      <${type} type="${type}">${escape(errors.join("\n"))}</${type}>\n`;
  return `    <testcase name="${escape(name)}" time="0001-01-01T00:00:00Z">
      <system-out>${escape(log)}</system-out>
${failure}    </testcase>
`;
}

/** Escapes a text as Go's encoder does. */
function escape(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&#34;",
    "'": "&#39;",
    "\n": "&#xA;",
    "\t": "&#x9;",
  };
  return text.replace(/[&<>"'\n\t]/g, (char) => entities[char]!);
}
