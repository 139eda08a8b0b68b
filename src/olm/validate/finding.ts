import type { Bundle } from "../bundle/bundle.ts";

/** What is wrong, or could be better, in a bundle. */
export interface Finding {
  readonly level: "error" | "warning";
  /** Names the rule, for programs. */
  readonly rule: string;
  /** Where, as a path into the object. */
  readonly field?: string;
  readonly value?: string;
  readonly detail: string;
}

export type Report = (finding: Finding) => void;

/**
 * One thing that is checked. Rules don't throw: all findings are shown at once. One that needs a large module loads it
 * only when the bundle makes it necessary, and so may answer later.
 */
export type Rule = (bundle: Bundle, report: Report, options: RuleOptions) => void | Promise<void>;

/** What people say about the cluster that a bundle is for: `--optional-values`. */
export interface RuleOptions {
  readonly "k8s-version"?: string;
  /** The path of the index image's Dockerfile, and its text. */
  readonly "index-path"?: string;
  readonly indexDockerfile?: string;
  readonly "container-tools"?: string;
  /** What each image of the CSV runs on, as `linux/amd64`; a text says why that is not known. */
  readonly platforms?: ReadonlyMap<string, readonly string[] | string>;
  /** Replaces the known categories. */
  readonly categories?: readonly string[];
}

/** The text of a finding, in the form that operator-sdk prints. */
export function formatFinding({ level, field, value, detail }: Finding): string {
  const places = [field === undefined ? "" : `Field ${field}`, value === undefined ? "" : `Value ${value}`];
  const place = places.filter(Boolean).join(", ");
  return `${level === "error" ? "Error" : "Warning"}: ${place ? `${place}: ` : ""}${detail}`;
}
