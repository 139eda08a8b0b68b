import type { SandboxObserver } from "../../sandbox/serve-sandbox.ts";
import { openWindow, type WindowOptions } from "../../local/window/open-window.ts";
import { Recorder } from "../../local/window/recorder.ts";

/** Returns an observer that serves the page about a sandbox, and prints its URL. */
export function observeSandbox(
  options: Pick<WindowOptions, "port" | "readOnly">,
  emit: (line: string) => void,
): SandboxObserver {
  const recorder = new Recorder();
  return {
    onAudit: (event) => recorder.audited(event),
    onChange: (resource, event) => recorder.stored(resource, event),
    async onServing({ config }, signal) {
      const { url } = await openWindow({ ...options, recorder, config, embedded: true }, signal);
      emit(`window: ${url}`);
    },
  };
}
