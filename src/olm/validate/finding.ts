import type { CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import type { Bundle } from "../bundle/bundle.ts";

/** An error or a suggestion for a bundle. */
export interface Finding {
  readonly level: "error" | "warning";
  /** The name of the rule, for programs. */
  readonly rule: string;
  /** The path into the object. */
  readonly field?: string | undefined;
  readonly value?: string | undefined;
  readonly detail: string;
}

/** Takes a finding of a rule, with its place. */
export type Report = (
  level: Finding["level"],
  rule: string,
  detail: string,
  place?: Pick<Finding, "field" | "value">,
) => void;

/**
 * A rule. Rules do not throw: all findings are reported together. A rule that needs a large module loads it on demand,
 * and can be asynchronous therefore.
 */
export type Rule = (bundle: Bundle, report: Report, options: RuleOptions) => void | Promise<void>;

/** Options that describe the cluster of a bundle: `--optional-values`. */
export interface RuleOptions {
  readonly "k8s-version"?: string;
  /** The path and the text of the index image's Dockerfile. */
  readonly "index-path"?: string;
  readonly indexDockerfile?: string;
  readonly "container-tools"?: string;
  /** The folder of the bundle before this one, and its CRDs. */
  readonly previous?: string;
  readonly previousCrds?: readonly CustomResourceDefinition[];
  /** The platforms of each image of the CSV, such as `linux/amd64`; a text gives the reason why they are unknown. */
  readonly platforms?: ReadonlyMap<string, readonly string[] | string>;
  /** Replaces the known categories. */
  readonly categories?: readonly string[];
}

/** Formats a finding as operator-sdk prints it. */
export function formatFinding({ level, field, value, detail }: Finding): string {
  const places = [field === undefined ? "" : `Field ${field}`, value === undefined ? "" : `Value ${value}`];
  const place = places.filter(Boolean).join(", ");
  return `${level === "error" ? "Error" : "Warning"}: ${place ? `${place}: ` : ""}${detail}`;
}

/** Formats findings as lines of text, or as operator-sdk's JSON. */
export function formatFindings(findings: readonly Finding[], format: "text" | "json-alpha1"): string {
  if (format === "text") return findings.map((finding) => `${formatFinding(finding)}\n`).join("");
  const outputs = findings.map((finding) => ({ type: finding.level, message: formatFinding(finding) }));
  const passed = findings.every(({ level }) => level !== "error");
  return `${JSON.stringify({ passed, outputs: outputs.length > 0 ? outputs : null }, null, 4)}\n`;
}
