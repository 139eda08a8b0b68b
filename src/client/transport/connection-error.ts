import { TsopError } from "../../errors/tsop-error.ts";

const untrusted = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA)/;
const untimely = /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/;
const badPair = /^ERR_OSSL_(X509|PEM)|KEY_VALUES_MISMATCH|^ERR_OSSL_.*NO_START_LINE/;

/** Explains in one sentence why a request got no response. The cause keeps its code, for `isConnectionReset`. */
export function connectionError(server: string, error: Error): TsopError {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const message = messageOf(error);
  const reason = code && !message.includes(code) ? `${message} (${code})` : message || code;
  const facts = { server, reason };
  if (untimely.test(code)) facts.reason += `; this machine's time is ${new Date().toISOString()}`;
  if (untrusted.test(code))
    return new TsopError("TSOP_SERVER_CERTIFICATE", { ...facts, hint: hintFor(code) }, { cause: error });
  if (badPair.test(code)) return new TsopError("TSOP_CLIENT_CERTIFICATE", facts, { cause: error });
  return new TsopError("TSOP_SERVER_UNREACHABLE", facts, { cause: error });
}

/** Returns what makes a server's certificate valid. */
function hintFor(code: string): string {
  if (untimely.test(code))
    return "if the time of this machine is right, renew the server's certificate: kubeadm certs renew apiserver";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "use a name of the certificate in the address of the server, or set tls-server-name of the kubeconfig to one";
  return "the kubeconfig's certificate-authority must be the one that signed the server's certificate";
}

/** Node's error has no message of its own if no address of a name could be reached. */
function messageOf(error: Error): string {
  if (!(error instanceof AggregateError) || error.message) return error.message;
  return (error.errors as Error[]).map(({ message }) => message).join("; ");
}

/** Reports whether the connection broke during the request: a read can be repeated. */
export function isConnectionReset(error: unknown): boolean {
  const code = ((error as Error | undefined)?.cause as NodeJS.ErrnoException | undefined)?.code;
  return code === "ECONNRESET" || code === "EPIPE";
}

/** Reports whether no answer of the server has come. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TsopError && error.code === "TSOP_SERVER_UNREACHABLE";
}
