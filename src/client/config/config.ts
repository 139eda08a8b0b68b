/** A server, and how to reach and verify it: the cluster of a kubeconfig. */
export interface ServerConfig {
  /** Base URL, such as `https://10.0.0.1:6443`. */
  readonly server: string;
  /** PEM text of the authorities that may issue the server's certificate. */
  readonly ca?: string;
  readonly caFile?: string;
  /** Accepts any certificate of the server. */
  readonly insecureSkipTlsVerify?: boolean;
  /** The name that the server's certificate must have, if it differs from the host in `server`. */
  readonly tlsServerName?: string;
  /** An `http:`, `https:` or `socks5:` URL. */
  readonly proxyUrl?: string;
}

/** The credentials of requests: the user of a kubeconfig. */
export interface UserConfig {
  /** PEM text of a client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly token?: string;
  /** Overrides `token`; read again every minute, because kubelet rotates it. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly impersonate?: Impersonation;
  readonly exec?: ExecConfig;
  /** Requires @kubernetes/client-node in the program's dependencies; it is loaded with the first request. */
  readonly authProvider?: AuthProviderConfig;
}

/**
 * The address of an API server and the credentials for it, as plain data. Named files are read again when they change.
 */
export interface ClientConfig extends ServerConfig, UserConfig {
  /** The namespace of the context, or of the pod; by default `default`. */
  readonly namespace: string;
  /** The origin of this configuration, for messages. */
  readonly source: string;
  /**
   * Requests per second, except watches. Unlimited by default, since the server has limits of its own (priority and
   * fairness).
   */
  readonly qps?: number;
  /** The number of requests before the limit applies; the default is 10. */
  readonly burst?: number;
  /**
   * PEM text of the certificate and the key with which an operator on this machine serves its webhooks, if the server
   * trusts one: `tsop sandbox` writes it to its kubeconfig. The webhook server uses it unless its options name a folder or
   * a Service.
   */
  readonly webhookCertificate?: { readonly cert: string; readonly key: string };
}

/** The authentication of a kubeconfig user without token and program, such as `oidc`. */
export interface AuthProviderConfig {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The user to impersonate, if the server allows it. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A program that prints credentials, as `client.authentication.k8s.io` defines it. */
export interface ExecConfig {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  readonly installHint?: string;
  /** The cluster information that the program requested. */
  readonly cluster?: Readonly<Record<string, unknown>>;
}
