import type { RunRecord } from "../../../src/check/world/run-record.ts";

/** A run in which nothing happened. */
export const emptyRecord: RunRecord = {
  steps: [],
  requests: [],
  breakdowns: [],
  errors: [],
  unreached: new Map(),
  watched: new Set(),
  uses: [],
  leases: false,
  slowestMs: 0,
  struck: [],
  unsupported: [],
  waiting: [],
};
