import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realIo } from "../../../../src/cli/terminal/real-io.ts";
import { main } from "../../../../src/cli/main.ts";
import { writeProject } from "../../../golden/stored-projects.mjs";

/** A project, and the parts of its kustomization that are switched on. */
export interface Scenario {
  readonly name: string;
  /** A project of test/golden; absent for one that has nothing but `tsop init`. */
  readonly golden?: string;
  /** Lines of config/default that lose their comment sign. */
  readonly enabled?: readonly string[];
}

export const scenarios: readonly Scenario[] = [
  { name: "init" },
  { name: "api", golden: "minimal" },
  { name: "webhooks", golden: "webhooks" },
  { name: "self-signed", golden: "self-signed" },
  { name: "multigroup", golden: "multigroup" },
  { name: "namespaced", golden: "namespaced" },
  { name: "cluster-scope", golden: "cluster-scope" },
  {
    name: "everything",
    golden: "webhooks",
    enabled: [
      "- ../prometheus",
      "- ../network-policy",
      "- path: cert_metrics_manager_patch.yaml",
      "  target:\n#    kind: Deployment",
    ],
  },
];

/** Makes the project of a scenario in a folder of its own, and removes it after the work. */
export async function withProject<T>(scenario: Scenario, work: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), `tsop-helm-${scenario.name}-`));
  try {
    await makeProject(scenario, root);
    return await work(root);
  } finally {
    await rm(root, { recursive: true });
  }
}

/** Makes the project of a scenario in a folder. */
export async function makeProject({ name, golden, enabled = [] }: Scenario, root: string): Promise<void> {
  if (golden === undefined) await initProject(root);
  else writeProject(golden, root);
  const file = join(root, "config/default/kustomization.yaml");
  let text = await readFile(file, "utf8");
  for (const line of enabled) {
    if (!text.includes(`#${line}`)) throw new Error(`${name}: config/default has no line "#${line}"`);
    text = text.replace(`#${line}`, line.replaceAll("\n#", "\n"));
  }
  await writeFile(file, text);
}

async function initProject(root: string): Promise<void> {
  const flags = ["--domain", "example.com", "--project-name", "bare", "--skip-install", "--tsop", "^0.1.0"];
  const quiet = { write: () => {}, isTTY: false, columns: 100 };
  const code = await main(["init", ...flags], { ...realIo(), cwd: root, isTTY: false, stderr: quiet });
  if (code !== 0) throw new Error(`tsop init ended with ${code}`);
}
