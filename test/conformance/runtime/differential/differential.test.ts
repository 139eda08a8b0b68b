import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { auditedEmbedded, auditedReal, type AuditedServer } from "./audited-server.ts";
import { buildGoOperator, startGo } from "./go-operator.ts";
import { knownDifferences } from "./known-differences.ts";
import { observe, type Observations } from "./observe.ts";
import { setUpOperator, type OperatorSetUp } from "./operator.ts";
import { startTwin } from "./twin.ts";

// An operator on controller-runtime and its TypeScript twin do the same work; their observable behaviour must be the
// same. The Go operator's side is recorded on a real server: TSOP_RECORD=1, KUBEBUILDER_ASSETS and Go renew the
// recording.
const assets = process.env["KUBEBUILDER_ASSETS"];
const record = process.env["TSOP_RECORD"] === "1" && assets !== undefined;
const file = new URL("../../recorded/controller-runtime/operator.json", import.meta.url);
const parts = ["requests", "objects", "health", "metrics", "log", "reviews"] as const;

const targets = [
  { name: "the embedded server", start: auditedEmbedded },
  ...(assets ? [{ name: "a real kube-apiserver", start: () => auditedReal(assets) }] : []),
];

// Not a test, and therefore not reported as skipped when nothing is recorded.
if (record) {
  it("records the Go operator", { timeout: 300_000 }, async () => {
    const go = await buildGoOperator();
    if ("missing" in go) throw new Error(`the Go operator can't be built: ${go.missing}`);
    const observed = await onServer(await auditedReal(assets), (setUp) => startGo(go.binary, setUp));
    mkdirSync(new URL(".", file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(observed, undefined, 2)}\n`);
  });
}

describe.each(targets)("the twin on $name", ({ start }) => {
  let differences: ReadonlyMap<string, Difference>;

  beforeAll(async () => {
    const observed = await onServer(await start(), startTwin);
    const recorded = JSON.parse(readFileSync(file, "utf8")) as Observations;
    differences = compare(leavesOf(recorded), leavesOf(observed));
  });

  it.each(parts)("behaves like the Go operator: %s", (part) => {
    const unknown = [...differences].filter(
      ([at]) => at.startsWith(`${part}/`) && !knownDifferences.some((each) => each.at.test(at)),
    );
    expect(Object.fromEntries(unknown)).toEqual({});
  });

  it("differs only in the known differences", () => {
    const gone = knownDifferences.filter((each) => ![...differences.keys()].some((at) => each.at.test(at)));
    expect(gone).toEqual([]);
    expect(knownDifferences.filter(({ reason }) => reason.length < 20)).toEqual([]);
  });
});

async function onServer(server: AuditedServer, start: Parameters<typeof observe>[1]): Promise<Observations> {
  let setUp: OperatorSetUp | undefined;
  try {
    setUp = await setUpOperator(server.config);
    return await observe(server, start, setUp);
  } finally {
    await server.stop();
    await setUp?.remove();
  }
}

interface Difference {
  readonly go: unknown;
  readonly tsop: unknown;
}

function compare(go: ReadonlyMap<string, unknown>, tsop: ReadonlyMap<string, unknown>): Map<string, Difference> {
  const keys = new Set([...go.keys(), ...tsop.keys()]);
  const different = [...keys].filter((key) => go.get(key) !== tsop.get(key));
  return new Map(different.map((key) => [key, { go: go.get(key), tsop: tsop.get(key) }]));
}

/** Returns every value by its path; a list of plain values is one value. */
function leavesOf(value: unknown, at: readonly string[] = []): Map<string, unknown> {
  if (typeof value !== "object" || value === null) return new Map([[at.join("/"), value]]);
  if (Array.isArray(value) && value.every((each) => each === null || typeof each !== "object"))
    return new Map([[at.join("/"), JSON.stringify(value)]]);
  const entries = Object.entries(value);
  if (entries.length === 0) return new Map([[at.join("/"), "{}"]]);
  return new Map(entries.flatMap(([key, each]) => [...leavesOf(each, [...at, key])]));
}
