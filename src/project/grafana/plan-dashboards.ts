import { join } from "node:path";
import type { Disk } from "../../files/disk.ts";
import { sealText } from "../../files/edited.ts";
import { planSealed } from "../../files/plan-sealed.ts";
import type { Plan } from "../../files/plan.ts";
import type { LoadedProject } from "../load-project.ts";
import { recordProject } from "../parse-project.ts";
import { withPlugin } from "../project.ts";
import { customConfig, parseCustomMetrics } from "./custom-metrics.ts";
import { formatDashboard, type Row } from "./dashboard.ts";
import { resourceRows, runtimeRows } from "./operator-panels.ts";

const folder = "grafana";
const configFile = "custom-metrics/config.yaml";
const pluginKey = "grafana.kubebuilder.io/v1-alpha";

/** Plans the dashboards of a project, and the record in PROJECT. `kept` are those that were edited by hand. */
export async function planDashboards(
  { root, project, text }: LoadedProject,
  { force }: { readonly force: boolean },
  disk: Pick<Disk, "read" | "list">,
): Promise<{ readonly plan: Plan; readonly kept: readonly string[] }> {
  const config = (await disk.read(join(root, folder, configFile))) ?? customConfig;
  const custom = parseCustomMetrics(config, `${folder}/${configFile}`);
  const dashboards: [path: string, title: string, rows: readonly Row[]][] = [
    ["controller-runtime-metrics.json", "Controller-Runtime-Metrics", runtimeRows],
    ["controller-resources-metrics.json", "Controller-Resources-Metrics", resourceRows],
    ["custom-metrics/custom-metrics-dashboard.json", "Custom-Metrics", [{ panels: custom }]],
  ];
  const files = dashboards.map(([path, title, rows]) => ({
    path,
    text: sealText(formatDashboard(title, rows), (content) => `  "$comment": "${content}",`),
  }));
  const all = [{ path: configFile, text: config, once: true }, ...files];
  const { changes, kept } = await planSealed(all, { root, folder, force }, disk);
  const recorded = recordProject(withPlugin(project, pluginKey, true, {}), text);
  return { plan: { root, changes: [...changes, ...recorded] }, kept };
}
