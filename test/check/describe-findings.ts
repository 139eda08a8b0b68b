import type { CheckResult } from "../../src/check/run-check.ts";

/** Lists findings for the message of a failed assertion. */
export function describeFindings({ findings }: CheckResult): string[] {
  return findings.map(({ class: name, violation }) => `${name}: ${violation.sentence}`);
}
