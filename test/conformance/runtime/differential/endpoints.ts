import type { Operator } from "./operator.ts";

const healthPaths = [
  "/healthz",
  "/healthz/",
  "/healthz?verbose",
  "/healthz/ping",
  "/healthz/unknown",
  "/healthz?exclude=ping",
  "/readyz",
  "/readyz/",
  "/readyz?verbose=true",
  "/readyz/fine",
  "/readyz/broken",
  "/readyz/broken/deeper",
  "/readyz?exclude=broken",
  "/readyz?exclude=broken&verbose",
  "/readyz?exclude=broken&exclude=fine&verbose",
  "/readyz?exclude=broken&exclude=nobody&verbose",
  "/readyz?exclude=nobody&exclude=none",
  "/livez",
  "/",
];

/** Reads the responses of the health server. */
export async function healthBodies({ setUp }: Operator): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of healthPaths) {
    const response = await fetch(`http://127.0.0.1:${setUp.healthPort}${path}`, { redirect: "manual" });
    const headers = ["content-type", "x-content-type-options"].map((name) => response.headers.get(name));
    answers[path] = { status: response.status, headers, body: await response.text() };
  }
  return answers;
}

export async function metricsText({ setUp }: Operator): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${setUp.metricsPort}/metrics`);
  return response.text();
}

interface Family {
  type?: string;
  help?: string;
  labels: string[];
  buckets?: string[];
  series: string[];
}

/**
 * Parses the families of an exposition, on which dashboards and alerts depend, except those of Go's and Node's
 * runtimes.
 */
export function metricFamilies(text: string): Record<string, Family> {
  const families: Record<string, Family> = {};
  const family = (name: string): Family => (families[name] ??= { labels: [], series: [] });
  for (const line of text.split("\n")) {
    if (/^(# \w+ )?(go|nodejs)_/.test(line)) continue;
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment) family(comment[2]!)[comment[1] === "HELP" ? "help" : "type"] = comment[3]!;
    // Conflicts depend on the speed of the cache, and on a busy machine the reconciliation's time-out cuts requests.
    else if (line && !line.startsWith("#") && !/code="(?:409|<error>)"/.test(line)) addSample(families, line);
  }
  for (const each of Object.values(families)) {
    each.labels = [...new Set(each.labels)].toSorted();
    each.series = [...new Set(each.series)].toSorted();
    if (each.buckets) each.buckets = [...new Set(each.buckets)];
  }
  return families;
}

function addSample(families: Record<string, Family>, line: string): void {
  const [, sample = "", text = ""] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
  const name = families[sample] ? sample : sample.replace(/_(bucket|sum|count)$/, "");
  const found = families[name];
  if (!found) throw new Error(`a sample without a family: ${line}`);
  const labels = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", value = ""]) => ({ key, value }));
  for (const { key, value } of labels) {
    if (key === "le") (found.buckets ??= []).push(String(Number(value.replace("+Inf", "Infinity"))));
    else found.labels.push(key);
  }
  const own = labels
    .filter(({ key }) => key !== "le")
    .map(({ key, value }) => `${key}=${key === "host" ? "<host>" : value}`);
  if (own.length > 0) found.series.push(own.toSorted().join());
}

/** Depends on the load of the machine, and is therefore not part of the operator's behaviour. */
const ofBusyMachines = "The event loop was blocked";

/** Returns the level and the fields of the lines of each message. Loggers are named after their packages. */
export function logShapes(lines: readonly string[]): Record<string, string[]> {
  const shapes: Record<string, Set<string>> = {};
  for (const line of lines) {
    const { level, logger: _logger, msg, ts: _ts, ...fields } = JSON.parse(line) as Record<string, unknown>;
    if (msg === ofBusyMachines) continue;
    const shape = [level, ...Object.keys(fields).toSorted()].map(String).join(" ");
    (shapes[String(msg).replace(/^\S+_[0-9a-f-]{36} /, "<identity> ")] ??= new Set()).add(shape);
  }
  return Object.fromEntries(
    Object.entries(shapes)
      .map(([message, found]): [string, string[]] => [message, [...found].toSorted()])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
