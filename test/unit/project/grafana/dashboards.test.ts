import { Counter, Gauge, Histogram } from "prom-client";
import { describe, expect, it, vi } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { parseCustomMetrics } from "../../../../src/project/grafana/plan-dashboards.ts";
import { formatDashboard } from "../../../../src/project/grafana/dashboard.ts";
import { resourceRows, runtimeRows } from "../../../../src/project/grafana/operator-panels.ts";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { controllerManagedBy } from "../../../../src/runtime/builders/builder.ts";
import { managedServer } from "../../runtime/managed-server.ts";
import { kubebuilderQueries, usesOf } from "./expressions.ts";

const { env, manager, start } = managedServer();
const Absent = defineKind<any>({ group: "absent.example.com", version: "v1", kind: "Absent", plural: "absents" });

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly type: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly definition: string }[] };
}

const custom = parseCustomMetrics(
  ["counter", "gauge", "histogram"]
    .map((type) => `- {metric: memcached_${type}, type: ${type}}`)
    .join("\n")
    .replace(/^/, "customMetrics:\n"),
  "config.yaml",
);
const dashboards: [string, Dashboard][] = (
  [
    ["runtime", runtimeRows],
    ["resources", resourceRows],
    ["custom", [{ panels: custom }]],
  ] as const
).map(([name, rows]) => [name, JSON.parse(formatDashboard(name, rows)) as Dashboard]);

/** The queries of all dashboards, with their legends. */
const queries = [
  ...dashboards.flatMap(([, { panels, templating }]) => [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr, legendFormat }) => [expr, legendFormat] as const)),
    ...templating.list.map(({ definition }) => [definition.replace("total,", "total{},"), ""] as const),
  ]),
  ...kubebuilderQueries,
];

/** Runs an operator that succeeds, fails and watches a kind that is not served, until all samples exist; scrapes it. */
async function scrape(): Promise<string> {
  new Counter({ name: "memcached_counter", help: "-" }).inc();
  new Gauge({ name: "memcached_gauge", help: "-" }).set(1);
  new Histogram({ name: "memcached_histogram", help: "-" }).observe(1);
  const { mgr, lines } = await manager({ metrics: { bindAddress: "127.0.0.1:0" } });
  await controllerManagedBy(mgr)
    .named("dashboards")
    .for(ConfigMap)
    .complete({
      async reconcile({ name }) {
        if (name === "failing") throw new Error("it fails on purpose");
      },
    });
  start(mgr);
  for (const name of ["working", "failing"])
    await env.client.create(ConfigMap, { metadata: { name, namespace: "default" }, data: {} });
  void mgr.client.list(Absent, { namespace: "default" }).catch(() => {}); // the list never ends, the failures are counted
  const wanted = [
    "tsop_reflector_failures_total{",
    "nodejs_gc_duration_seconds_sum{",
    'reconcile_total{controller="dashboards",result="error"}',
  ];
  let text = "";
  await vi.waitFor(async () => {
    const line = lines.find(({ msg }) => msg === "Serving metrics server") as { bindAddress: string } | undefined;
    text = await (await fetch(`http://${line?.bindAddress}/metrics`)).text();
    expect(wanted.filter((part) => !text.includes(part))).toEqual([]);
  }, 30_000);
  return text;
}

describe("the dashboards", () => {
  it("query only metrics and labels that an operator exports, as do kubebuilder's", async () => {
    const text = await scrape();
    const missing = queries.flatMap(([expr, legend]) =>
      usesOf(expr, legend).flatMap(({ metric, labels }) => {
        const samples = text
          .split("\n")
          .filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));
        if (samples.length === 0) return [`${metric}: no sample`];
        return labels
          .filter((label) => !samples.some((line) => line.includes(`${label}="`)))
          .map((label) => `${metric}: no label ${label}`);
      }),
    );
    expect(missing).toEqual([]);
  });

  it("would notice a metric or a label that no operator exports", () => {
    expect(usesOf('sum(rate(a_total{job="$job", code="5"}[5m])) by (instance, name) / b{}', "{{result}}")).toEqual([
      { metric: "a_total", labels: ["name", "result", "code"] },
      { metric: "b", labels: ["name", "result"] },
    ]);
  });

  it.each(dashboards)("%s: panels do not overlap, and fit into 24 columns", (_name, { panels }) => {
    expect(panels.length).toBeGreaterThan(2);
    for (const [at, { gridPos: a }] of panels.entries()) {
      expect(a.x + a.w).toBeLessThanOrEqual(24);
      const over = panels
        .slice(at + 1)
        .filter(({ gridPos: b }) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h);
      expect(over.map(({ title }) => title)).toEqual([]);
    }
  });
});

describe("custom metrics", () => {
  it.each([
    ["customMetrics: {}", "customMetrics must be a list"],
    ["- metric: a", "it must be a map with customMetrics"],
    ["custommetrics: []", "custommetrics is unknown"],
    ["customMetrics: [{metric: a, type: gauge, units: s}]", "customMetrics[0].units is unknown"],
    ["customMetrics: [{metric: 1, type: gauge}]", "customMetrics[0].metric must be the name of a metric, not 1"],
    ["customMetrics: [{metric: a, type: sum}]", 'customMetrics[0].type must be counter, gauge or histogram, not "sum"'],
    ["customMetrics: [{metric: a, type: gauge, unit: 1}]", "customMetrics[0].unit must be a text"],
    ["customMetrics: [", "line "],
  ])("refuse %s", (text, reason) => {
    expect(() => parseCustomMetrics(text, "config.yaml")).toThrow(`config.yaml is not valid: ${reason}`);
  });

  it("take a query and a unit of the user", () => {
    const [panel] = parseCustomMetrics(
      "customMetrics: [{metric: a, type: gauge, unit: bytes, expr: max(a)}]",
      "config.yaml",
    );
    expect(panel).toEqual({ title: "a (gauge)", unit: "bytes", width: 24, queries: [{ expr: "max(a)" }] });
  });
});
