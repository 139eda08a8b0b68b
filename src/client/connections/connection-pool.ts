import type { TransportRequest, TransportResponse } from "../transport.ts";

/** Connections to one API server over one protocol. */
export interface ConnectionPool {
  /** Rejects with the error of the socket, or with the one that the request's signal caused. */
  exchange(request: PoolRequest): Promise<TransportResponse>;
  /** Takes no new requests; those under way may finish. */
  retire(): void;
  /** Ends all connections at once. */
  close(): void;
}

/** A request with everything in it. */
export interface PoolRequest extends Omit<TransportRequest, "headers"> {
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Makes of what breaks the body off the error for who reads it. */
  readonly failed: (error: Error) => Error;
  /** Hears the size of the body, once it has been read whole. */
  readonly onReceived?: ((bytes: number) => void) | undefined;
}

export interface PoolOptions {
  readonly url: URL;
  /** Present for HTTPS. */
  readonly tls: TlsSettings | undefined;
  readonly proxyUrl?: string | undefined;
  /** A short request without a byte for this long is given up. */
  readonly idleTimeoutMs: number;
  /** What a new connection may take, TLS and proxies included; 30 seconds. */
  readonly connectTimeoutMs?: number | undefined;
  /** Hears how many seconds it took to find the address of the host. */
  readonly onResolved?: ((seconds: number) => void) | undefined;
}

/** What Node's `tls.connect` is told. */
export interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly minVersion: "TLSv1.2";
  readonly rejectUnauthorized: boolean;
  readonly servername?: string;
}

export const defaultConnectTimeoutMs = 30_000;
/** Below the 90 s after which servers close idle connections, so that a request never meets a closing one. */
export const idleConnectionMs = 60_000;
export const keepAliveMs = 30_000;
/** For short requests, to one server. */
export const maxSockets = 100;

/** The name of a URL's host as sockets want it: an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}
