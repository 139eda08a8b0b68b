import { dnsLabelProblems } from "./name-errors.ts";

/** A name that pods' host names are made of had better be one. */
export function hostNameWarnings(name: string | undefined, use: string): string[] {
  const problems = name ? dnsLabelProblems(name) : [];
  if (problems.length === 0) return [];
  const why = `which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`;
  return [`metadata.name: this is used in ${use}, ${why}`];
}
