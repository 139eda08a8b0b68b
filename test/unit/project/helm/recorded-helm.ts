import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SealedFile } from "../../../../src/files/plan-sealed.ts";
import { realDisk } from "../../../../src/files/real-disk.ts";
import { planChart } from "../../../../src/project/helm/plan-chart.ts";
import { loadProject } from "../../../../src/project/load-project.ts";
import { findProgram, mustRun, run } from "../../../e2e/shell.ts";
import { withProject, type Scenario } from "./scenarios.ts";

// Helm's output is recorded, so that it is compared on machines without Helm, too. TSOP_RECORD=1 with `helm` (TSOP_HELM
// names it, or the PATH) and kubectl renews the recordings. With Helm installed, it runs in every test.
const helm = findProgram("helm");
export const kubectl: string | undefined = findProgram("kubectl");
const isRecording = process.env["TSOP_RECORD"] === "1";
const recordedRoot = fileURLToPath(new URL("recorded/", import.meta.url));

/** The result of `helm template`: YAML, or the message with which it refuses the values. */
export interface Rendered {
  readonly output?: string;
  readonly error?: string;
}

/** A chart, and what Helm makes of it. */
export class ChartOfScenario {
  readonly files: readonly SealedFile[];
  /** What kustomize builds. */
  readonly built: string;
  readonly projectName: string;
  private readonly folder: string;

  private constructor(folder: string, parts: Pick<ChartOfScenario, "files" | "built" | "projectName">) {
    this.folder = folder;
    this.files = parts.files;
    this.built = parts.built;
    this.projectName = parts.projectName;
  }

  /** Makes the chart from the recorded objects, or from those that kustomize builds now. */
  static load(scenario: Scenario): Promise<ChartOfScenario> {
    const folder = join(recordedRoot, scenario.name);
    return withProject(scenario, async (root) => {
      const file = join(folder, "kustomize.yaml");
      if (isRecording) write(file, await buildNow(root));
      const built = readFileSync(file, "utf8");
      const loaded = await loadProject(root, realDisk());
      const options = {
        manifests: { text: built, file: "dist/install.yaml", isFile: true },
        outputDir: "dist",
        force: false,
      };
      const { plan } = await planChart(loaded, options, realDisk());
      const files = plan.changes.flatMap((change): SealedFile[] =>
        change.type === "create" ? [{ path: change.path.slice("dist/chart/".length), text: change.text }] : [],
      );
      return new ChartOfScenario(folder, { files, built, projectName: loaded.project.projectName });
    });
  }

  /** Renders the chart as release `<project>` in the namespace of kustomize. Values are those of `--set`. */
  async render(values = ""): Promise<Rendered> {
    const name = this.projectName;
    const set = values === "" ? [] : ["--set", values];
    return this.recorded(values, ["template", name, ".", "--namespace", `${name}-system`, ...set]);
  }

  writeTo(folder: string): void {
    rmSync(folder, { recursive: true, force: true });
    for (const { path, text } of this.files) write(join(folder, path), text);
  }

  /** Checks the chart. */
  lint(): Promise<Rendered> {
    return this.recorded("lint", ["lint", "--strict", "."]);
  }

  private async recorded(key: string, args: readonly string[]): Promise<Rendered> {
    const name = key === "" ? "default" : key.replace(/[^\w.=,-]/g, "_").slice(0, 120);
    const file = join(this.folder, "helm", `${name}.txt`);
    const head = `# Chart ${this.digest()}: helm ${args.join(" ")}\n`;
    if (helm === undefined) return this.replay(key, file, head);
    const rendered = await this.run(args);
    if (isRecording) write(file, head + (await this.shorten(key, rendered)));
    return rendered;
  }

  /** Records of an output with values only that by which it differs from the output without. */
  private async shorten(key: string, { output, error }: Rendered): Promise<string> {
    if (output === undefined) return `error: ${error}`;
    if (key === "" || key === "lint") return output;
    const [before, after] = [documentsOf((await this.render()).output), documentsOf(output)];
    const absent = before.flatMap((document, at) => (after.includes(document) ? [] : [at]));
    const added = after.filter((document) => !before.includes(document));
    return [`without: ${absent.join(",")}\n`, ...added].join(separator);
  }

  private async replay(key: string, file: string, head: string): Promise<Rendered> {
    const text = readFileSync(file, "utf8");
    if (!text.startsWith(head))
      throw new Error(`record again, with TSOP_RECORD=1 and Helm: the chart of ${file} changed`);
    const rest = text.slice(head.length);
    if (rest.startsWith("error: ")) return { error: rest.slice("error: ".length) };
    if (key === "" || key === "lint") return { output: rest };
    const [line = "", ...added] = rest.split(separator);
    const absent = new Set(line.slice("without: ".length).trim().split(","));
    const left = documentsOf((await this.render()).output).filter((_document, at) => !absent.has(String(at)));
    return { output: [...left, ...added].map((document) => separator + document).join("") };
  }

  private async run(args: readonly string[]): Promise<Rendered> {
    const folder = mkdtempSync(join(tmpdir(), "tsop-chart-"));
    try {
      this.writeTo(folder);
      const { code, stdout, stderr } = await run(helm ?? "", args, { cwd: folder, env: { HOME: folder } });
      return code === 0 ? { output: stdout } : { error: stderr };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  private digest(): string {
    const files = this.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  }
}

/** Builds the manifests of a project. */
export function buildNow(root: string): Promise<string> {
  return mustRun(kubectl ?? "kubectl", ["kustomize", "config/default"], { cwd: root });
}

const separator = "---\n";

function documentsOf(output = ""): string[] {
  return output.split(separator).filter((document) => document.trim() !== "");
}

function write(file: string, text = ""): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
