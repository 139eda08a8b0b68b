import { formatDiagnostic } from "../../errors/diagnostic.ts";
import type { LocalEvent } from "../../local/local-event.ts";
import { coloured, formatLogLine, plain, isRepeatedPanic, isShutdownStep } from "../../runtime/log/format-log-line.ts";
import { kubeconfigCommand } from "../../sandbox/disk/write-kubeconfig.ts";
import type { Io } from "../io.ts";
import { clusterText, recoveryText, waitingText, problemText } from "../terminal/texts.ts";

/**
 * Prints the events of a local run: those of the tool on stderr, the operator's output on the stream it was written to.
 */
export function showLocal(
  io: Pick<Io, "stdout" | "stderr" | "env">,
  format: "pretty" | "json",
): (event: LocalEvent) => void {
  const palette = io.stderr.isTTY && !io.env["NO_COLOR"] ? coloured : plain;
  const say = (text: string): void => io.stderr.write(`${text}\n`);
  return (event) => {
    switch (event.type) {
      case "target":
        say(targetText(event, palette.bold));
        if (event.ignored !== undefined) say(palette.yellow(ignoredText(event.ignored)));
        return;
      case "waiting":
        return say(waitingText(event));
      case "recovered":
        return say(recoveryText(event));
      case "generated":
        for (const warning of event.warnings) say(formatDiagnostic(warning));
        for (const path of event.changed) say(palette.dim(`generated ${path}`));
        return;
      case "crds":
        return say(palette.dim(`serving ${event.names.join(", ") || "no custom resources yet"}`));
      case "bundleIgnored":
        return say(
          palette.yellow(`ignores what config/manager of this project does not name: ${event.names.join(", ")}`),
        );
      case "webhooksLeftOut":
        return say(palette.yellow(leftOutText(event)));
      case "built":
        return say(palette.dim(`built in ${event.milliseconds} ms`));
      case "kubeconfig":
        return say(`kubectl: ${palette.bold(kubeconfigCommand(event.path))}`);
      case "window":
        return say(`window: ${palette.bold(event.url)}`);
      case "started":
        return say(palette.dim(startedText(event)));
      case "replicaEnded":
        return say(
          palette.yellow(
            `replica ${event.replica} ended (${event.reason}); the others (${event.left}) take over its work`,
          ),
        );
      case "awaitsKind":
        return say(palette.dim(`waiting for the operator to define ${event.kind}, of ${event.file}`));
      case "applied":
        for (const { kind, name, result } of event.objects) say(`${kind.plural}/${name} ${result}`);
        return;
      case "output":
        if (format === "json") return outputLine(io[event.stream], event.line);
        const prefix = event.replica ? palette.dim(`[${event.replica}] `) : "";
        // A user who presses Ctrl-C or saves a file expects the shutdown; "stopped" and the next start are enough.
        if (isShutdownStep(event.line) || isRepeatedPanic(event.line)) return;
        return outputLine(io[event.stream], prefix + formatLogLine(event.line, palette));
      case "ended":
        return say(palette.red(`the operator exited: ${event.reason}; ${nextText(event)}`));
      case "problem":
        return say(palette.red(problemText(event.error)));
      case "fixed":
        return say(palette.green("fixed; the running operator matches your sources"));
      case "stopped":
        return say(palette.dim("stopped"));
    }
  };
}

function nextText({ restartMs }: Extract<LocalEvent, { type: "ended" }>): string {
  return restartMs === undefined ? "waiting for a change" : `it starts again in ${restartMs / 1000} s`;
}

function leftOutText({ isOff, unconverted }: Extract<LocalEvent, { type: "webhooksLeftOut" }>): string {
  if (!isOff) return "webhooks are off, because the cluster cannot call this machine (ENABLE_WEBHOOKS=false)";
  const text = "webhooks are off, by ENABLE_WEBHOOKS=false";
  if (unconverted.length === 0) return text;
  const kinds = unconverted.join(" and ");
  return `${text}: the versions of ${kinds} are not converted, and requests that need it fail; to use them, unset ENABLE_WEBHOOKS`;
}

function startedText({ replicas }: Extract<LocalEvent, { type: "started" }>): string {
  const what = replicas
    ? `replicas ${replicas.join(", ")} started; Ctrl-C stops them`
    : "operator started; Ctrl-C stops it";
  return `${what} and the server`;
}

function targetText(event: Extract<LocalEvent, { type: "target" }>, bold: (text: string) => string): string {
  return event.embedded
    ? `${bold("embedded API server")} at ${event.server} (to use a cluster: --context NAME or --kubeconfig FILE)`
    : `${clusterText(event)} (to use the embedded server: omit --kubeconfig and --context)`;
}

function ignoredText(value: string): string {
  return `KUBECONFIG=${value} is ignored; to use its cluster: --context NAME or --kubeconfig FILE`;
}

function outputLine(output: Io["stdout"], line: string): void {
  output.write(`${line}\n`);
}
