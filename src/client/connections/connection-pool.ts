import type { TransportRequest, TransportResponse } from "../transport.ts";

/** Connections to one API server over one protocol. */
export interface ConnectionPool {
  /** Rejects with the error of the socket, or with the reason of the request's signal. */
  exchange(request: PoolRequest): Promise<TransportResponse>;
  /** Rejects new requests; running ones may finish. */
  retire(): void;
  /** Closes all connections at once. */
  close(): void;
}

/** A complete request. */
export interface PoolRequest extends Omit<TransportRequest, "headers"> {
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Converts the error that interrupts the body for the reader. */
  readonly failed: (error: Error) => Error;
  /** Receives the size of the body after it has been read completely. */
  readonly onReceived?: ((bytes: number) => void) | undefined;
}

export interface PoolOptions {
  readonly url: URL;
  /** Set for HTTPS. */
  readonly tls: TlsSettings | undefined;
  readonly proxyUrl?: string | undefined;
  /** A short request without a byte for this long fails. */
  readonly idleTimeoutMs: number;
  /** The time limit for a new connection, including TLS and proxies; the default is 30 seconds. */
  readonly connectTimeoutMs?: number | undefined;
  /** Receives the seconds that the DNS lookup took. */
  readonly onResolved?: ((seconds: number) => void) | undefined;
}

/** Options for Node's `tls.connect`. */
export interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly minVersion: "TLSv1.2";
  readonly rejectUnauthorized: boolean;
  readonly servername?: string;
}

export const defaultConnectTimeoutMs = 30_000;
/**
 * The time for each address of a name but the last. Node's default of 250 ms is too short for a server far away, and for
 * a program that computes while it connects.
 */
export const autoSelectFamilyAttemptTimeout = 2_000;
/** Below the 90 s after which servers close idle connections, so that no request meets a closing one. */
export const idleConnectionMs = 60_000;
export const keepAliveMs = 30_000;
/** The limit of connections for short requests to one server. */
export const maxSockets = 100;

/** Returns the host of a URL for sockets: an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}
