import type { ServerRequest } from "../../../../src/apiserver/api-server.ts";

/** Counts watches from the request until the client disconnects. */
export interface OpenWatches {
  readonly count: number;
  note(request: ServerRequest): void;
}

export function openWatches(): OpenWatches {
  const open = new Set<AbortSignal>();
  return {
    get count() {
      return open.size;
    },
    note({ url, signal }) {
      if (!isWatch(url)) return;
      open.add(signal);
      signal.addEventListener("abort", () => open.delete(signal));
    },
  };
}

export function isWatch(url: string): boolean {
  return /[?&]watch=true/.test(url);
}
