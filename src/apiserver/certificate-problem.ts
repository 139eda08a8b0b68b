import { isIP } from "node:net";
import type { PeerCertificate } from "node:tls";

/** Describes like Go why a server's certificate is not trusted; `undefined` for other errors. */
export function certificateProblem(error: unknown): string | undefined {
  const { code = "", host = "", cert } = error as NodeJS.ErrnoException & { host?: string; cert?: PeerCertificate };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return wrongName(host, cert?.subjectaltname);
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return "x509: certificate has expired or is not yet valid";
  return /CERT|SIGNATURE|SELF_SIGNED/.test(code) ? "x509: certificate signed by unknown authority" : undefined;
}

/** `names` are as Node writes them: `DNS:localhost, IP Address:127.0.0.1`. */
function wrongName(host: string, names = ""): string {
  const label = isIP(host) ? "IP Address:" : "DNS:";
  const all = names.split(", ").filter((name) => name.startsWith(label));
  const valid = all.map((name) => name.slice(label.length)).join(", ");
  if (valid) return `x509: certificate is valid for ${valid}, not ${host}`;
  return isIP(host)
    ? `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`
    : `x509: certificate is not valid for any names, but wanted to match ${host}`;
}
