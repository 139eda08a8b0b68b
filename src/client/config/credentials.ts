import { encodeHeader } from "../../apimachinery/header-text.ts";
import { readFile, stat } from "node:fs/promises";
import { TsopError } from "../../errors/tsop-error.ts";
import type { AuthProviderCredentials } from "./auth-provider-credentials.ts";
import type { AuthProviderConfig, ServerConfig, UserConfig } from "./config.ts";
import { ExecCredentials, type ExecStatus } from "./exec-credentials.ts";

/** TLS material; a new object whenever a file changes, so that its identity shows when to reconnect. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** A user, with the authorities of the server, which the same TLS connection needs. */
type AccessConfig = UserConfig & Pick<ServerConfig, "ca" | "caFile">;

/** kubelet refreshes a projected token at 80 % of its lifetime; client-go checks once a minute. */
const tokenLife = 60_000;

/** The credentials of requests. Files are checked once a minute at most. */
export class Credentials {
  private readonly config: AccessConfig;
  private readonly now: () => number;
  private readonly fixed: Readonly<Record<string, string | string[]>>;
  private readonly exec: ExecCredentials | undefined;
  private execStatus: ExecStatus | undefined;
  private authProvider: Promise<AuthProviderCredentials> | undefined;
  private token: string | undefined;
  private tokenReadAt = Number.NEGATIVE_INFINITY;
  private tls: TlsMaterial | undefined;
  private tlsCheckedAt = Number.NEGATIVE_INFINITY;
  private tlsStamp = "";

  constructor(config: AccessConfig, now: () => number = Date.now) {
    this.config = config;
    this.now = now;
    this.fixed = fixedHeaders(config);
    this.exec = config.exec && new ExecCredentials(config.exec, now);
  }

  /** Returns the headers that authenticate a request. */
  async headers(): Promise<Readonly<Record<string, string | string[]>>> {
    const { tokenFile, authProvider } = this.config;
    if (tokenFile) return { ...this.fixed, authorization: `Bearer ${await this.tokenOf(tokenFile)}` };
    // As in client-go, the fields of the kubeconfig override the output of a program.
    if (this.fixed["authorization"] !== undefined) return this.fixed;
    const token = (await this.exec?.get())?.token;
    if (token) return { ...this.fixed, authorization: `Bearer ${token}` };
    return authProvider ? this.providedHeaders(authProvider) : this.fixed;
  }

  /**
   * Returns the token of a file, or the previous one if the file cannot be read; the server decides if it is still
   * valid.
   */
  private async tokenOf(file: string): Promise<string> {
    if (this.token !== undefined && this.now() - this.tokenReadAt < tokenLife) return this.token;
    const known = this.token ?? this.config.token;
    try {
      this.token = await readToken(file);
      this.tokenReadAt = this.now();
      return this.token;
    } catch (error) {
      if (known === undefined) throw error;
      return known;
    }
  }

  /** Discards credentials that may have expired, after a 401. Returns whether asking again can help. */
  async refresh(): Promise<boolean> {
    this.exec?.forget();
    (await this.authProvider)?.forget();
    this.tokenReadAt = Number.NEGATIVE_INFINITY;
    return (this.exec ?? this.authProvider ?? this.config.tokenFile) !== undefined;
  }

  /**
   * Returns the current authorities and client certificate, or the previous ones if their files cannot be read: they may
   * be written at this moment.
   */
  async tlsMaterial(): Promise<TlsMaterial> {
    const executed = await this.exec?.get();
    if (executed !== this.execStatus) {
      this.execStatus = executed;
      this.tls = undefined;
    }
    const { caFile, certFile, keyFile } = this.config;
    const known = this.tls;
    if (known && (!(caFile || certFile || keyFile) || this.now() - this.tlsCheckedAt < tokenLife)) return known;
    try {
      return await this.readTls(executed);
    } catch (error) {
      if (!known) throw error;
      return known;
    }
  }

  private async readTls(executed: ExecStatus | undefined): Promise<TlsMaterial> {
    const { caFile, certFile, keyFile } = this.config;
    // One after the other: if several are missing, the error always names the same one.
    const stamp = [
      await changeStamp("certificate-authority", caFile),
      await changeStamp("client-certificate", certFile),
      await changeStamp("client-key", keyFile),
    ].join();
    this.tlsCheckedAt = this.now();
    if (this.tls && stamp === this.tlsStamp) return this.tls;
    const read = {
      ...pem("ca", this.config.ca ?? (caFile && (await readText("certificate-authority", caFile)))),
      ...pem("cert", this.config.cert ?? (certFile && (await readText("client-certificate", certFile)))),
      ...pem("key", this.config.key ?? (keyFile && (await readText("client-key", keyFile)))),
      ...pem("cert", executed?.clientCertificateData),
      ...pem("key", executed?.clientKeyData),
    };
    this.tlsStamp = stamp;
    this.tls = read;
    return read;
  }

  /** Loads the code of providers on demand: few users need it. */
  private async providedHeaders(config: AuthProviderConfig): Promise<Readonly<Record<string, string | string[]>>> {
    this.authProvider ??= import("./auth-provider-credentials.ts").then(
      ({ AuthProviderCredentials }) => new AuthProviderCredentials(config, { now: this.now }),
    );
    return { ...this.fixed, authorization: await (await this.authProvider).header() };
  }
}

function fixedHeaders(config: UserConfig): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  if (config.token) headers["authorization"] = `Bearer ${config.token}`;
  else if (config.username !== undefined) {
    const pair = Buffer.from(`${config.username}:${config.password ?? ""}`).toString("base64");
    headers["authorization"] = `Basic ${pair}`;
  }
  const { impersonate } = config;
  if (impersonate) {
    headers["impersonate-user"] = encodeHeader(impersonate.user);
    if (impersonate.uid) headers["impersonate-uid"] = encodeHeader(impersonate.uid);
    // Node writes a header line for each item of an array, as the API server expects here.
    if (impersonate.groups?.length) headers["impersonate-group"] = impersonate.groups.map(encodeHeader);
    for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
      headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = values.map(encodeHeader);
    }
  }
  return headers;
}

async function changeStamp(field: string, file: string | undefined): Promise<string> {
  if (!file) return "";
  try {
    const { mtimeMs, ino, size } = await stat(file);
    return `${mtimeMs}/${ino}/${size}`;
  } catch (error) {
    throw unreadable(field, file, error);
  }
}

async function readText(field: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw unreadable(field, file, error);
  }
}

async function readToken(file: string): Promise<string> {
  const token = (await readText("tokenFile", file)).trim();
  if (!token) throw new TsopError("TSOP_CREDENTIALS_FILE", { field: "tokenFile", file, reason: "it is empty" });
  return token;
}

function unreadable(field: string, file: string, error: unknown): TsopError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new TsopError("TSOP_CREDENTIALS_FILE", { field, file, reason: code ?? message }, { cause: error });
}

function pem(name: keyof TlsMaterial, value: string | undefined): TlsMaterial {
  return value ? { [name]: value } : {};
}
