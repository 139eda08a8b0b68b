/** Where an API server is and who we are to it. Plain data; files that are named here are read again when they change. */
export interface ClientConfig {
  /** Base URL, such as `https://10.0.0.1:6443`. */
  readonly server: string;
  /** The namespace of the context, or of the pod; `default` if neither says. */
  readonly namespace: string;
  /** Where this configuration came from, for messages. */
  readonly source: string;
  /** PEM text of the authorities that the server's certificate may come from. */
  readonly ca?: string;
  readonly caFile?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
  /** Speaks HTTP/2 with a server that offers it, over few connections instead of one per stream; false. */
  readonly http2?: boolean;
  /** Requests per second, watches left out; no limit if absent, as the server has its own (priority and fairness). */
  readonly qps?: number;
  /** How many requests may go before the limit holds; 10. */
  readonly burst?: number;
  /** PEM text of a client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly token?: string;
  /** Wins over `token`; read again every minute, because kubelet rotates it. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly impersonate?: Impersonation;
  readonly exec?: ExecConfig;
  /** Needs @kubernetes/client-node in the program's dependencies; it is loaded with the first request. */
  readonly authProvider?: AuthProviderConfig;
}

/** How the user of a kubeconfig authenticates where neither a token nor a program does it, such as `oidc`. */
export interface AuthProviderConfig {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Whom to act as, if the server allows it. */
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
  /** The cluster as the program wants to see it; present if it asked for it. */
  readonly cluster?: Readonly<Record<string, unknown>>;
}
