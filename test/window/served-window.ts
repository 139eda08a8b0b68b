import { startSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/start-sandbox.ts";
import { openWindow } from "../../src/local/window/open-window.ts";
import { Recorder } from "../../src/local/window/recorder.ts";

export interface ServedWindow {
  readonly sandbox: Sandbox;
  readonly recorder: Recorder;
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a sandbox with a window on it. */
export async function serveWindowOn(
  options: SandboxOptions = {},
  window: { readonly port?: number; readonly readOnly?: boolean } = {},
): Promise<ServedWindow> {
  const stop = new AbortController();
  const recorder = new Recorder();
  const sandbox = await startSandbox(
    {
      pace: { min: 1, max: 5 },
      ...options,
      onAudit: (event) => recorder.audited(event),
      onChange: (resource, event) => recorder.stored(resource, event),
    },
    stop.signal,
  );
  const { url, port, done } = await openWindow(
    { ...window, recorder, config: sandbox.config, embedded: true },
    stop.signal,
  );
  return {
    sandbox,
    recorder,
    url,
    port,
    async close() {
      stop.abort();
      await Promise.all([done, sandbox.done]);
    },
  };
}
