import { signal, type ReadonlySignal } from "@preact/signals";

export type View = "objects" | "work" | "requests";

/** The view and its parameters, as in the URL. */
export interface Address {
  readonly view: View;
  readonly params: Readonly<Record<string, string>>;
}

const views: readonly string[] = ["objects", "work", "requests"];
const current = signal<Address>(read());

/** The current address; it follows the URL. */
export const address: ReadonlySignal<Address> = current;

/** Follows the browser's history. */
export function followHistory(): void {
  addEventListener("hashchange", () => {
    current.value = read();
  });
}

/** Changes parameters of the address; empty ones are removed. A step in the history unless `replace`. */
export function setParams(params: Readonly<Record<string, string>>, replace = false): void {
  const { view, params: before } = current.value;
  go(view, { ...before, ...params }, replace);
}

export function go(view: View, params: Readonly<Record<string, string>> = {}, replace = false): void {
  const hash = linkTo(view, params);
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  current.value = read();
}

/** Returns the address as the URL of a link. */
export function linkTo(view: View, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ""));
  return `#/${view}${query.size > 0 ? `?${query.toString()}` : ""}`;
}

function read(): Address {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const view = views.includes(path) ? (path as View) : "objects";
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}
