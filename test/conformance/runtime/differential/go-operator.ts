import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Operator, OperatorSetUp } from "./operator.ts";

const source = fileURLToPath(new URL("../../../../lab/record/go-operator/", import.meta.url));
/** A build is kept, and Go reuses it until its source changes. */
const builds = fileURLToPath(new URL("../../../../node_modules/.cache/tsop-go-operator/", import.meta.url));
const run = promisify(execFile);
/** Time to compile all of client-go on a busy machine with an empty cache. */
const buildTimeoutMs = 300_000;
const go = ["go", "/usr/local/go/bin/go"];

/** The path of a build of the Go operator, or the reason why it is missing: no Go, or no modules. */
export type GoBuild = { readonly binary: string } | { readonly missing: string };

/**
 * Builds the Go operator, or another program of its module, without downloads; TSOP_GO_OPERATOR names an existing build
 * of the operator.
 */
export async function buildGoOperator(program = "."): Promise<GoBuild> {
  const built = process.env["TSOP_GO_OPERATOR"];
  if (program === "." && built && existsSync(built)) return { binary: built };
  const binary = join(builds, program === "." ? "operator" : program);
  let reason = "";
  for (const command of go) {
    try {
      await run(command, ["build", "-o", binary, program], {
        cwd: source,
        timeout: buildTimeoutMs,
        env: { ...process.env, GOPROXY: "off" },
      });
      return { binary };
    } catch (error) {
      reason = (error as Error).message;
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") break;
    }
  }
  return { missing: reason };
}

export async function startGo(binary: string, setUp: OperatorSetUp): Promise<Operator> {
  const child = spawn(
    binary,
    [
      `--kubeconfig=${setUp.kubeconfig}`,
      `--health-probe-bind-address=127.0.0.1:${setUp.healthPort}`,
      `--metrics-bind-address=127.0.0.1:${setUp.metricsPort}`,
      `--webhook-port=${setUp.webhookPort}`,
      `--webhook-cert-path=${setUp.certDir}`,
      "--leader-elect",
      `--leader-elect-release-on-cancel=${setUp.releaseOnCancel}`,
      `--lease-duration=${setUp.leaseDuration}ms`,
      `--renew-deadline=${setUp.renewDeadline}ms`,
      `--retry-period=${setUp.retryPeriod}ms`,
      "--zap-log-level=5",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const log: string[] = [];
  let rest = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    // client-go has a logger of its own with plain text.
    log.push(...lines.filter((line) => line.startsWith("{")));
  });
  const stop = async (how: "gracefully" | "killed"): Promise<void> => {
    child.kill(how === "killed" ? "SIGKILL" : "SIGTERM");
    await ended;
  };
  return { setUp, log, stop };
}
