import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect } from "vitest";
import { outputPattern } from "./document-blocks.ts";
import {
  findProgram,
  linkPackages,
  LongRunning,
  mustRun,
  repository,
  run,
  temporaryFolder,
  until,
  type RunOptions,
} from "./shell.ts";

/** The reader's terminal: a folder, a shell with variables, programs in the background. */
export class Terminal {
  readonly #folder = temporaryFolder("documents");
  readonly #state: string = join(this.#folder.path, "shell-state");
  readonly #staying: LongRunning[] = [];

  /**
   * Starts in a copy of the project with its packages installed, or in an empty folder next to a checkout called tsop.
   */
  open(project: string | undefined): void {
    const { path } = this.#folder;
    const start = project ? join(path, "project") : path;
    if (project) {
      const filter = (file: string): boolean => !file.includes("node_modules");
      cpSync(join(repository, project), start, { recursive: true, filter });
      linkPackages(start);
    } else {
      symlinkSync(repository, join(path, "tsop"));
    }
    writeFileSync(this.#state, `PWD='${start}'\n`);
  }

  async close(): Promise<void> {
    await Promise.all(this.#staying.map((each) => each.stop()));
    this.#folder.remove();
  }

  /** Runs commands, which must succeed, or fail if `fails` is set. `output` is the expected output. */
  async type(code: string, output: string | undefined, fails: boolean): Promise<void> {
    let printed = "";
    const runOnce = async (): Promise<void> => {
      const {
        code: status,
        stdout,
        stderr,
      } = await run("bash", this.#script(`${code}\nexport -p >$STATE`), this.#options);
      printed = `${stdout}${stderr}`;
      expect(fails ? status !== 0 : status === 0, `exit code ${status}:\n${printed}`).toBe(true);
    };
    await runOnce();
    if (output === undefined) return;
    const pattern = outputPattern(output);
    // Retries a query, as a reader does. Other commands run once.
    const ask = async (): Promise<true | undefined> => {
      if (isQuestion(code) && !pattern.test(printed)) await runOnce();
      return pattern.test(printed) || undefined;
    };
    await until("the output matches the page", ask, isQuestion(code) ? 120_000 : 0).catch((cause: unknown) => {
      throw new Error(`printed was\n${printed}`, { cause });
    });
  }

  /** Starts a program that runs until the end of the page, and waits for a text in its output. */
  async stay(code: string, text: string): Promise<void> {
    const program = new LongRunning("bash", this.#script(code), { ...this.#options, group: true });
    this.#staying.push(program);
    await program.prints(outputPattern(text));
  }

  /** Ends the program that was started last, and starts another one in its terminal, which has no KUBECONFIG. */
  async stayInstead(code: string, text: string): Promise<void> {
    await this.#staying.pop()?.stop();
    await this.stay(`unset KUBECONFIG\n${code}`, text);
  }

  /** Waits until the programs in the background have printed this. */
  async logs(text: string): Promise<void> {
    for (const program of this.#staying) await program.prints(outputPattern(text));
  }

  async write(path: string, text: string): Promise<void> {
    const code = `mkdir -p '${dirname(path)}' && cat >'${path}'`;
    await mustRun("bash", this.#script(code), { ...this.#options, input: text });
  }

  #script(code: string): string[] {
    return ["-euc", `. $STATE; cd "$PWD"\n${code}`];
  }

  /** Returns the options of a process. HOME has no kubeconfig; npm finds the files that it keeps there. */
  get #options(): RunOptions {
    const tools = ["kubectl", "helm"].flatMap((name) => findProgram(name) ?? []).map((path) => dirname(path));
    const PATH = [...tools, process.env["PATH"]].join(delimiter);
    const home = homedir();
    const npm = { npm_config_userconfig: join(home, ".npmrc"), npm_config_cache: join(home, ".npm") };
    return { cwd: this.#folder.path, env: { ...npm, PATH, HOME: this.#folder.path, STATE: this.#state } };
  }
}

function isQuestion(code: string): boolean {
  return code
    .trim()
    .split("\n")
    .every((line) => /^(kubectl (get|describe|logs)|export) /.test(line));
}
