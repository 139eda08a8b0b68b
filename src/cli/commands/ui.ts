import { Command } from "commander";
import type { Io } from "../io.ts";
import { parsePort } from "../flags/parse-values.ts";

interface UiCommandFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly uiPort?: number;
}

/** `tsop ui` */
export function uiCommand(io: Io): Command {
  return new Command("ui")
    .description("serve a page on 127.0.0.1 that shows the objects and events of a cluster, read-only, until Ctrl-C")
    .option("--kubeconfig <file>", "kubeconfig of the cluster")
    .option("--context <name>", "context of the cluster")
    .option("--ui-port <number>", "port of the page (default: a free one)", parsePort)
    .addHelpText("after", "\nExamples:\n  tsop ui\n  tsop ui --context staging --ui-port 8090")
    .action(async ({ kubeconfig, context, uiPort }: UiCommandFlags) => {
      const { loadConfig } = await import("../../client/config/load-config.ts");
      const { Recorder } = await import("../../local/window/recorder.ts");
      const { openWindow } = await import("../../local/window/open-window.ts");
      const { watchCluster } = await import("../../local/window/watch-cluster.ts");
      const config = await loadConfig({ kubeconfig, context, env: io.env });
      const recorder = new Recorder();
      const stopping = new AbortController();
      const signal = AbortSignal.any([io.signal, stopping.signal]);
      const watching = watchCluster(recorder, config, signal);
      try {
        const window = await openWindow({ recorder, config, embedded: false, readOnly: true, port: uiPort }, signal);
        io.stderr.write(`window: ${window.url}\n`);
        await watching;
        await window.done;
      } catch (error) {
        // An interruption is not a failure.
        if (!io.signal.aborted) throw error;
      } finally {
        stopping.abort();
        await watching.catch(() => {}); // thrown above, if it was first
      }
    });
}
