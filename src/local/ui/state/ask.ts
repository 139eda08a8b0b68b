import { useEffect, useState } from "preact/hooks";

const key = "tsop-token";

/** Takes the token out of the fragment, so that neither the history nor a copied address contains it. */
export function takeToken(): void {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (given === undefined) return;
  sessionStorage.setItem(key, given);
  history.replaceState(null, "", "#/objects");
}

/** A response that is not a success. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends a request with the token. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${sessionStorage.getItem(key) ?? ""}`);
  const response = await fetch(path, { ...init, headers, cache: "no-store", redirect: "error" });
  if (response.ok) return response;
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  throw new Refused(response.status, message ?? response.statusText);
}

/** Asks the server, with the parameters that are not undefined. */
export async function ask<T>(
  path: string,
  params: Readonly<Record<string, string | number | undefined>>,
  signal?: AbortSignal,
): Promise<T> {
  const given = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const response = await send(`/api/${path}?${new URLSearchParams(given).toString()}`, signal ? { signal } : {});
  return (await response.json()) as T;
}

/** Makes the server do something. */
export async function tell<T>(path: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await send(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return (await response.json()) as T;
}

/** An answer of the server, or the reason why it is missing. */
interface Asked<T> {
  readonly value?: T;
  readonly error?: string;
}

/** Asks the server again whenever the parameters or `tick` change; the last answer stays until the next. */
export function useAnswer<T>(
  path: string,
  params: Readonly<Record<string, string | number | undefined>>,
  tick: unknown = 0,
): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({});
  useEffect(() => {
    const leaving = new AbortController();
    ask<T>(path, params, leaving.signal).then(
      (value) => setAsked({ value }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setAsked({ error: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => leaving.abort();
  }, [path, JSON.stringify(params), tick]);
  return asked;
}
