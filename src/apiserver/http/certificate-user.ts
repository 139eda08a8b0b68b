import type { Socket } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";
import type { User } from "../api-server.ts";

/** A connection's user, or `false` for a certificate that the clients' authority has not issued. */
type Certified = User | false | undefined;

const known = new WeakMap<Socket, Certified>();

/**
 * Returns the user whom the client's certificate names: the common name, with organizations as groups. Returns
 * `undefined` if the client has shown none, which is always so on a server that does not ask for certificates.
 */
export function certifiedUser(socket: Socket): Certified {
  // Parsing a certificate takes longer than the rest of the authentication, and a connection has one.
  if (!known.has(socket)) known.set(socket, readUser(socket as TLSSocket));
  return known.get(socket);
}

function readUser(socket: TLSSocket): Certified {
  // Node returns nothing for a connection that has just been cut.
  const { subject, fingerprint256 } = (socket.getPeerCertificate() as Partial<PeerCertificate> | null) ?? {};
  if (subject === undefined || fingerprint256 === undefined) return undefined;
  if (!socket.authorized) return false;
  const [username = ""] = [subject.CN ?? []].flat();
  const groups = [subject.O ?? []].flat();
  const credential = `X509SHA256=${fingerprint256.replaceAll(":", "").toLowerCase()}`;
  return {
    username,
    groups: [...groups, "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": [credential] },
  };
}
