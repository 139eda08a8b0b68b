import { describe, expect, it } from "vitest";
import type { Plan } from "../../../src/check/plans/plan.ts";
import type { Violation } from "../../../src/check/oracles/violation.ts";
import { nameOf, parseAccepted, reasonToAccept } from "../../../src/check/report/accepted-findings.ts";
import { Findings } from "../../../src/check/report/finding.ts";
import { formatJunit } from "../../../src/check/report/format-junit.ts";
import { formatFinding } from "../../../src/check/report/format-text.ts";
import { LogWatch } from "../../../src/check/world/log-watch.ts";

const step = { name: "create", action: { type: "delete", targets: [] } } as const;
const plan = (id: string, steps: number, faultClass: Plan["faultClass"] = "crash"): Plan => ({
  id,
  faultClass,
  description: "d",
  steps: Array.from({ length: steps }, () => step),
});
const violation = (about: string, sentence = "s"): Violation => ({ oracle: "wrong-state", about, sentence });

describe("findings", () => {
  it("are merged by cause, and show the shortest plan", () => {
    const findings = new Findings();
    findings.add(plan("long", 4), violation("x"));
    findings.add(plan("short", 2), violation("x"));
    findings.add(plan("other", 4), violation("y"));
    findings.add(plan("fault", 4, "drift"), violation("x"));
    expect(findings.all.map(({ plan, plans, class: name }) => [name, plan.id, plans])).toEqual([
      ["crash", "short", 2],
      ["drift", "fault", 1],
      ["crash", "other", 1],
    ]);
  });

  it("are merged if the operator reads an older state in several ways", () => {
    const findings = new Findings();
    findings.add(plan("lag:all", 4, "lag"), violation("x"));
    findings.add(plan("watch:cut:create", 2, "watch"), violation("x"));
    findings.add(plan("crash:after", 1), violation("x"));
    findings.add(plan("stale:create", 3, "stale"), violation("y"));
    expect(findings.all.map(({ class: name, also, plan, plans }) => [name, also, plan.id, plans])).toEqual([
      ["watch", ["lag"], "watch:cut:create", 2],
      ["crash", [], "crash:after", 1],
      ["stale", [], "stale:create", 1],
    ]);
    const [merged] = findings.all;
    expect(formatFinding(merged!, 1, undefined)).toMatch(/^1\. watch: s\n[^]* {3}also {8}lag: the cause is the same\n/);
  });

  it("are merged if a change is not reverted and another rule finds the same field", () => {
    const findings = new Findings();
    findings.add(plan("reference", 4, "reference"), { ...violation("x"), oracle: "not-reverted" });
    findings.add(plan("reference", 4, "reference"), violation("x"));
    expect(findings.all.map(nameOf)).toEqual(["not-reverted: not-reverted x"]);
  });

  it("are merged if three unrelated faults show them", () => {
    const findings = new Findings();
    findings.add(plan("crash:after", 3), violation("x"));
    findings.add(plan("drift:a", 2, "drift"), violation("x"));
    expect(findings.all).toHaveLength(2);
    findings.add(plan("refused:b", 4, "refused"), violation("x"));
    expect(findings.all.map(({ class: name, also, plans }) => [name, also, plans])).toEqual([
      ["drift", ["crash", "refused"], 3],
    ]);
    expect(reasonToAccept(findings.all[0]!, [{ finding: "refused: wrong-state x", reason: "r" }])).toBe("r");
  });

  it("are accepted under each class that shows their cause", () => {
    const findings = new Findings();
    findings.add(plan("watch:cut:create", 2, "watch"), violation("x"));
    const [finding] = findings.all;
    const accept = (name: string) => reasonToAccept(finding!, [{ finding: name, reason: "r" }]);
    expect(accept("lag: wrong-state x")).toBe("r");
    expect(accept("crash: wrong-state x")).toBeUndefined();
    expect(accept("lag: wrong-state y")).toBeUndefined();
  });

  it("are named after the rule if they need no fault", () => {
    const findings = new Findings();
    findings.add(plan("reference", 4, "reference"), violation("x"));
    expect(findings.all.map(nameOf)).toEqual(["wrong-state: wrong-state x"]);
  });

  it("are failures in JUnit, without characters that XML does not allow", () => {
    const findings = new Findings();
    findings.add(plan("p", 1), violation("x", 'a < b & "c" \u0007'));
    const result = {
      findings: findings.all,
      milliseconds: 1500,
      done: 1,
      planned: 1,
      converted: 0,
      idle: [],
      interrupted: false,
      unsupported: [],
      waiting: [],
      restarts: [],
      isIdle: false,
      used: { runs: 1, uses: [] },
      notes: [],
      judged: ["crash", "drift"] as const,
      engine: { name: "processes" } as const,
    };
    const xml = formatJunit({ ...result, scenario: { steps: [] } });
    expect(xml).toContain('failures="1" skipped="15" time="1.500"');
    expect(xml).toContain('<failure message="a &lt; b &amp; &quot;c&quot; \ufffd">');
    expect(xml).toContain('name="drift"/>');
    expect(xml).toContain('name="stale"><skipped message="no run was judged"/>');
  });

  it("can be accepted only with a reason", () => {
    expect(parseAccepted("- { finding: a, reason: b }", "f")).toEqual([{ finding: "a", reason: "b" }]);
    expect(() => parseAccepted("- { finding: a }", "f")).toThrow("“a” has no reason");
    expect(() => parseAccepted("a: b", "f")).toThrow("it is not a list");
  });
});

describe("the log of an operator", () => {
  it.each([
    ["Go", "panic: runtime error: invalid memory address or nil pointer dereference"],
    ["controller-runtime", '{"level":"info","msg":"Observed a panic","panic":"x"}'],
    ["klog", "E0101 00:00:00.000000       1 runtime.go:78] Observed a panic: x"],
    ["Java", 'Exception in thread "main" java.lang.NullPointerException'],
  ])("shows a panic of %s", (_, line) => {
    const panics: unknown[] = [];
    new LogWatch((lines) => panics.push(lines)).read(line, "create");
    expect(panics).toHaveLength(1);
  });

  it("counts equal errors by step", () => {
    const log = new LogWatch(() => {});
    for (const id of ["1111", "2222"])
      log.read(`{"level":"error","msg":"Reconciler error","error":"no ${id}","ts":1}`, "change");
    log.read("2026-01-01T00:00:00Z\tERROR\tReconciler error", "delete");
    log.read('{"level":"info","msg":"error"}', "delete");
    expect(log.errors.map(({ step, count }) => [step, count])).toEqual([
      ["change", 2],
      ["delete", 1],
    ]);
  });

  it("counts an error for each kind whose watch reports it", () => {
    const log = new LogWatch(() => {});
    for (const kind of ["Pod", "Secret", "Secret"])
      log.read(
        `{"level":"error","msg":"Failed to watch","kind":"${kind}","error":"the connection was closed"}`,
        "change",
      );
    expect(log.errors.map(({ count }) => count)).toEqual([1, 2]);
  });

  it("reports errors about programs that do not run separately", () => {
    const log = new LogWatch(() => {});
    log.read("E0101 connecting to sample-0: dial tcp: lookup sample-0: no such host", "create");
    expect(log.errors).toEqual([]);
    expect([...log.unreached.keys()]).toEqual(["create"]);
  });

  it("holds a bounded number of messages", () => {
    const log = new LogWatch(() => {});
    for (let line = 0; line < 2_000; line++)
      log.read(`E0101 failed: ${"a".repeat(line % 50)} ${"b".repeat(line / 50)}`, "create");
    expect(log.errors).toHaveLength(1_000);
  });
});
