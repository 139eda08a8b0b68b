import { createHmac } from "node:crypto";
import type { ClientConfig } from "../../client/config/config.ts";
import { createClient } from "../../client/create-client.ts";
import { HttpTransport } from "../../client/transport/http-transport.ts";
import { Editor } from "./edit/editor.ts";
import type { Recorder } from "./recorder.ts";
import { serveWindow, type RunningWindow } from "./serve/serve-window.ts";
import { windowAgent } from "./work/describe-request.ts";

export interface WindowOptions {
  readonly recorder: Recorder;
  /** The server on which the page writes. */
  readonly config: ClientConfig;
  /** True for the embedded server, whose requests are seen. */
  readonly embedded: boolean;
  /** Turns off all writes of the page. A cluster is never written to. */
  readonly readOnly?: boolean | undefined;
  readonly port?: number | undefined;
}

/** Serves the page about a server until the signal aborts. */
export async function openWindow(options: WindowOptions, signal: AbortSignal): Promise<RunningWindow> {
  const { recorder, config, embedded, readOnly = false, port } = options;
  const transport = new HttpTransport(config, { userAgent: windowAgent });
  const client = createClient({ transport, fieldOwner: windowAgent, fieldValidation: "Strict" });
  const editor = embedded && !readOnly ? new Editor(client, config.namespace) : undefined;
  signal.addEventListener("abort", () => transport.close(), { once: true });
  const token = embedded ? windowToken(config) : undefined;
  return serveWindow({ recorder, editor, port, token, source: config.source, audits: embedded }, signal);
}

/** Derives the page's token from the administrator's: one that lasts, with `--persist`, lets an open page reconnect. */
function windowToken({ token = "" }: ClientConfig): string | undefined {
  return token === "" ? undefined : createHmac("sha256", token).update("tsop window").digest("base64url");
}
