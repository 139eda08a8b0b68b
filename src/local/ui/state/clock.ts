import { signal } from "@preact/signals";
import { serverNow, version } from "./records.ts";

/** The server's time, each second. */
export const clock = signal(Date.now());

/** The versions of the records at the last second, for views that are too costly to be computed at each change. */
export const calm = { objects: signal(0), reconciles: signal(0) };

export function startClock(): void {
  setInterval(() => {
    clock.value = serverNow();
    calm.objects.value = version.objects.peek();
    calm.reconciles.value = version.reconciles.peek();
  }, 1_000);
}

/** Formats a duration as kubectl does: `42s`, `5m`, `3h12m`, `4d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours}h${minutes % 60}m` : `${hours}h`;
  return `${Math.floor(hours / 24)}d`;
}

/** Formats the duration of a request or reconcile. */
export function formatTook(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/** Formats a time of today, to the millisecond. */
export function formatTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  const ms = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}

export function formatSize(characters: number): string {
  if (characters === 0) return "";
  return characters < 1_024 ? `${characters} B` : `${(characters / 1_024).toFixed(1)} kB`;
}
