import { readFile } from "node:fs/promises";
import { TsopError } from "../../errors/tsop-error.ts";
import type { ExecConfig } from "./config.ts";

/** The output of a credential program. */
export interface ExecStatus {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

/** Renews a token before it expires, so that it does not expire in transit. */
const leewayMs = 10_000;
/**
 * The time limit of a run, which includes a login by the user. Without it, requests would wait for a program that
 * hangs, without any message.
 */
const defaultLimitMs = 5 * 60_000;
/** The longest output of a program. A certificate with its key takes some kilobytes. */
const maxOutput = 1024 * 1024;

/**
 * Credentials of a program that the kubeconfig names. It runs when they are first needed, and when they have expired.
 */
export class ExecCredentials {
  private readonly config: ExecConfig;
  private readonly now: () => number;
  private readonly limitMs: number;
  private current: ExecStatus | undefined;
  private running: Promise<ExecStatus> | undefined;
  private refused = false;

  constructor(config: ExecConfig, now: () => number = Date.now, limitMs: number = defaultLimitMs) {
    this.config = config;
    this.now = now;
    this.limitMs = limitMs;
  }

  /** Returns the same object until there are new credentials. Concurrent callers share one run of the program. */
  async get(): Promise<ExecStatus> {
    if (this.current && !this.hasExpired(this.current)) return this.current;
    this.running ??= run(this.config, this.limitMs).finally(() => {
      this.running = undefined;
    });
    const status = await this.running;
    // Clocks can be wrong, so the server decides whether expired credentials still work.
    if (this.refused && this.hasExpired(status)) {
      throw execError(
        this.config,
        `the server rejects its credentials, which expired at ${status.expirationTimestamp}`,
      );
    }
    this.refused = false;
    this.current = status;
    return status;
  }

  /** Discards the credentials, which the server refused; the next call runs the program again. */
  forget(): void {
    this.current = undefined;
    this.refused = true;
  }

  private hasExpired({ expirationTimestamp }: ExecStatus): boolean {
    return expirationTimestamp !== undefined && Date.parse(expirationTimestamp) - leewayMs <= this.now();
  }
}

async function run(config: ExecConfig, limitMs: number): Promise<ExecStatus> {
  const { command, apiVersion } = config;
  const whole = { ...config, ...(config.cluster && { cluster: await withAuthority(config.cluster) }) };
  const output = await readOutput(whole, limitMs);
  let credential: { kind?: string; apiVersion?: string; status?: ExecStatus };
  try {
    credential = JSON.parse(output) as typeof credential;
  } catch {
    // The engine's message quotes what it printed, which may be a token.
    throw execError(config, "it printed something that is not JSON");
  }
  if (credential.kind !== "ExecCredential" || credential.apiVersion !== apiVersion) {
    throw execError(
      config,
      `it printed ${credential.apiVersion ?? "no"} ${credential.kind ?? "kind"}, not ${apiVersion}`,
    );
  }
  const { status } = credential;
  if (!status?.token && !(status?.clientCertificateData && status.clientKeyData)) {
    throw execError(config, `${command} returned neither a token nor a certificate with a key`);
  }
  return status;
}

/** Adds the authorities themselves, because the program never gets the path of their file. */
async function withAuthority(cluster: NonNullable<ExecConfig["cluster"]>): Promise<Readonly<Record<string, unknown>>> {
  const { "certificate-authority": file, ...rest } = cluster;
  if (typeof file !== "string" || rest["certificate-authority-data"]) return rest;
  try {
    return { ...rest, "certificate-authority-data": await readFile(file, "base64") };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new TsopError(
      "TSOP_CREDENTIALS_FILE",
      { field: "certificate-authority", file, reason: code },
      { cause: error },
    );
  }
}

/** Runs the program and returns its output. Its stderr goes to the terminal, where it can also prompt. */
async function readOutput(config: ExecConfig, limitMs: number): Promise<string> {
  const { command, args, interactiveMode } = config;
  const interactive = interactiveMode !== "Never" && process.stdin.isTTY;
  if (interactiveMode === "Always" && !interactive) {
    throw execError(config, "it needs a terminal for questions, but there is none");
  }
  // Loaded on demand: few processes need it.
  const { spawn } = await import("node:child_process");
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...environment(config, interactive) },
      stdio: [interactive ? "inherit" : "ignore", "pipe", "inherit"],
    });
    const stop = (reason: string): void => {
      reject(execError(config, reason));
      child.kill("SIGKILL");
      // A program that it has started can keep the pipe open.
      child.stdout?.destroy();
    };
    const timer = setTimeout(() => stop(`it did not end within ${limitMs / 1000} s`), limitMs);
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutput) stop(`it printed more than ${maxOutput} bytes`);
      else chunks.push(chunk);
    });
    child.once("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const reason = error.code === "ENOENT" ? "it is not installed" : error.message;
      reject(execError(config, reason, error));
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(chunks).toString("utf8"));
      else reject(execError(config, `it exited with ${signal ?? `exit code ${code}`}`));
    });
  });
}

function environment(config: ExecConfig, interactive: boolean): Record<string, string> {
  const { apiVersion, cluster, env } = config;
  const spec = { interactive, ...(cluster ? { cluster } : {}) };
  const info = { kind: "ExecCredential", apiVersion, spec };
  return {
    ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
}

function execError({ command, installHint }: ExecConfig, reason: string, cause?: unknown): TsopError {
  const hint = installHint?.trim() || `run it manually to see its output: ${command}`;
  return new TsopError("TSOP_CREDENTIALS_PROGRAM", { command, reason, hint }, { cause });
}
