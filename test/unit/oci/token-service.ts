import { createSign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { selfSigned, startRegistry, type Certificate, type Registry } from "./start-registry.ts";

/** A registry that requires the tokens of a service. */
export interface TokenRegistry extends Registry {
  /** The scopes that the service was asked for. */
  readonly asked: readonly string[];
}

/** Starts a registry, and a service that gives `user` with the password `secret` tokens for the first scopes of a request. */
export async function startTokenRegistry({
  mostScopes = Infinity,
}: { readonly mostScopes?: number } = {}): Promise<TokenRegistry> {
  const signer = selfSigned();
  const asked: string[] = [];
  const service = createServer((request, response) => {
    const scopes = new URL(request.url!, "http://localhost").searchParams.getAll("scope");
    const login = Buffer.from(request.headers.authorization?.slice(6) ?? "", "base64").toString();
    asked.push(...scopes);
    if (login !== "user:secret") return response.writeHead(401).end();
    return response.end(JSON.stringify({ token: signToken(signer, scopes.slice(0, mostScopes)) }));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const realm = `http://127.0.0.1:${(service.address() as AddressInfo).port}/token`;
  const registry = await startRegistry({ token: { realm, certificate: signer.certificate } });
  const stop = async (): Promise<void> => {
    await registry.stop();
    service.close();
  };
  return { ...registry, asked, stop };
}

function signToken({ key, certificate }: Certificate, scopes: readonly string[]): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const x5c = [certificate.replace(/-----[^-]+-----|\s/g, "")];
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: "test", aud: "registry", sub: "user", nbf: now - 10, iat: now, exp: now + 300, jti: "1" };
  const access = scopes.map((scope) => {
    const [type = "", name = "", actions = ""] = scope.split(":");
    return { type, name, actions: actions.split(",") };
  });
  const text = `${encode({ typ: "JWT", alg: "RS256", x5c })}.${encode({ ...claims, access })}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
}
