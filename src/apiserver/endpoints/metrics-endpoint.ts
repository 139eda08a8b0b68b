import type { ServerRequest, ServerResponse } from "../api-server.ts";
import { methodNotAllowed } from "../refusals.ts";
import type { ServerCore } from "../verbs/call/server-core.ts";

interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

/** `/metrics`: the part of a real server's that is true of this one, under the same names. */
export function metricsEndpoint(core: ServerCore, { method }: ServerRequest): ServerResponse {
  if (method !== "GET") throw methodNotAllowed();
  const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8; escaping=underscores" };
  const metrics = [requests(core), objects(core), ...ofProcess()];
  return { status: 200, headers, body: metrics.map(shown).join("") };
}

function requests({ requests }: ServerCore): Metric {
  return {
    name: "apiserver_request_total",
    type: "counter",
    help: "Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.",
    samples: [...requests.counts()],
  };
}

function objects({ registry, store }: ServerCore): Metric {
  const listed = [...registry.entries()].filter(({ resource }) => resource.verbs.includes("list"));
  // Some are served in several versions.
  const storages = new Map(listed.map(({ storage }) => [`${storage.group}/${storage.plural}`, storage]));
  return {
    name: "apiserver_resource_objects",
    type: "gauge",
    help: "Number of stored objects at the time of last check split by kind.",
    samples: [...storages.values()].map((storage) => [
      { group: storage.group, resource: storage.plural },
      store.collection(storage).size,
    ]),
  };
}

function ofProcess(): Metric[] {
  const { user, system } = process.cpuUsage();
  const single = (type: Metric["type"], name: string, help: string, value: number): Metric => ({
    name: `process_${name}`,
    type,
    help,
    samples: [[{}, value]],
  });
  const started = Date.now() / 1000 - process.uptime();
  return [
    single("counter", "cpu_seconds_total", "Total user and system CPU time spent in seconds.", (user + system) / 1e6),
    single("gauge", "resident_memory_bytes", "Resident memory size in bytes.", process.memoryUsage.rss()),
    single("gauge", "start_time_seconds", "Start time of the process since unix epoch in seconds.", started),
  ];
}

function shown({ name, type, help, samples }: Metric): string {
  const lines = samples.map(([labels, value]) => `${name}${shownLabels(labels)} ${value}`).sort();
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

/** Names of groups, resources and verbs have nothing to escape. */
function shownLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}
