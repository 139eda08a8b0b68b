import type { RequestStep } from "./scenario.ts";

type More = Omit<RequestStep, "request">;

export const GET = (path: string, more: More = {}): RequestStep => ({ request: `GET ${path}`, ...more });

export const POST = (path: string, body?: unknown, more: More = {}): RequestStep => ({
  request: `POST ${path}`,
  ...(body !== undefined && { body }),
  ...more,
});

export const PUT = (path: string, body?: unknown, more: More = {}): RequestStep => ({
  request: `PUT ${path}`,
  ...(body !== undefined && { body }),
  ...more,
});

/** The headers name the type of the patch: `merge`, `strategic`, `jsonPatch` or `apply`. */
export const PATCH = (path: string, headers: RequestStep["headers"], body: unknown, more: More = {}): RequestStep => ({
  request: `PATCH ${path}`,
  ...(headers && { headers }),
  body,
  ...more,
});

export const DELETE = (path: string, more: More = {}): RequestStep => ({ request: `DELETE ${path}`, ...more });
