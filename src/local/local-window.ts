import type { SandboxOptions } from "../sandbox/start-sandbox.ts";
import { openWindow } from "./window/open-window.ts";
import { Recorder } from "./window/recorder.ts";
import { watchCluster } from "./window/watch-cluster.ts";
import type { Target } from "./target/choose-target.ts";
import { parseJsonObjectOrUndefined } from "../apimachinery/parse-json-object.ts";
import type { ReportMessage } from "../runtime/report/report-message.ts";

/** The page that shows the work of the operator. */
export interface UiOptions {
  readonly port?: number | undefined;
  readonly readOnly?: boolean | undefined;
}

/** Receives all that happens in a local run, for the page. */
export interface LocalWindow {
  readonly sandbox: Pick<SandboxOptions, "onAudit" | "onChange">;
  readonly onReport: (line: string) => void;
  readonly onLine: (line: string) => void;
  /** Serves the page until the signal aborts. */
  open(target: Target, signal: AbortSignal): Promise<{ readonly url: string; readonly done: Promise<unknown> }>;
}

/** Begins to record. It precedes the server, so that nothing is missed. */
export function prepareWindow(options: UiOptions, onError: (error: unknown) => void): LocalWindow {
  const recorder = new Recorder();
  recorder.operator = "silent";
  return {
    sandbox: {
      onAudit: (event) => recorder.audited(event),
      onChange: (resource, event) => recorder.stored(resource, event),
    },
    onReport(line) {
      const message = parseReport(line);
      if (message) recorder.reported(message);
    },
    onLine: (line) => recorder.logged(line),
    async open({ embedded, config }, signal) {
      const { url, done } = await openWindow({ ...options, recorder, config, embedded }, signal);
      const watching = embedded ? undefined : watchCluster(recorder, config, signal).catch(onError);
      return { url, done: Promise.all([done, watching]) };
    },
  };
}

const types = new Set(["hello", "start", "end", "dropped"]);

/** Parses a line of the operator's report; `undefined` for anything else that its program writes to the pipe. */
export function parseReport(line: string): ReportMessage | undefined {
  const value = parseJsonObjectOrUndefined(line);
  return value && types.has(String(value["type"])) ? (value as unknown as ReportMessage) : undefined;
}
