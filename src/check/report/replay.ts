import { basename } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Plan } from "../plans/plan.ts";
import { needsOlderVersion } from "../plans/upgrade-plans.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** The content of a file that repeats the run of a finding. */
export interface Replay {
  /** The finding in one sentence. */
  readonly title: string;
  readonly scenario: Scenario;
  readonly plan: Plan;
}

/** Parses a file of a finding. */
export function parseReplay(text: string, file: string): Replay {
  const replay = parse(text);
  if (replay?.title && replay.scenario && replay.plan) return replay;
  const fix = "give a file that tsop check has written under .tsop/check";
  throw new TsopError("TSOP_CHECK_FILE_INVALID", { file, reason: "it holds no finding", fix });
}

function parse(text: string): Replay | undefined {
  try {
    return JSON.parse(text) as Replay;
  } catch {
    // Text that is not JSON holds no finding either.
    return undefined;
  }
}

/** Returns the lines that keep a finding as a test of the project, with the revision from which it is upgraded. */
export function testOf(file: string, { title, plan }: Replay, revision?: string): string {
  const isUpgrade = revision !== undefined && needsOlderVersion(plan.faultClass);
  const upgrade = isUpgrade ? `, upgradeFrom: { revision: ${JSON.stringify(revision)} }` : "";
  const kept = `test/findings/${basename(file)}`;
  return `To keep this run as a test:

  mkdir -p test/findings && cp ${file} ${kept}

  import { expect, it } from "vitest";
  import { checkOperator } from "tsop/testing";

  it(${JSON.stringify(title)}, { timeout: 120_000 }, async () => {
    const { report } = await checkOperator({ replay: ${JSON.stringify(kept)}${upgrade} });
    expect(report).toBe("");
  });
`;
}
