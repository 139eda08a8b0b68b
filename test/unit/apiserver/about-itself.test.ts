import { createPublicKey, verify } from "node:crypto";
import { expect, it } from "vitest";
import { asker } from "./ask.ts";

const accounts = "/api/v1/namespaces/default/serviceaccounts";

it("publishes the key that signs tokens of service accounts", async () => {
  const api = asker();
  await api.ask("POST", accounts, { metadata: { name: "a" } });
  const { token } = (await api.ask("POST", `${accounts}/a/token`, { spec: { audiences: ["me"] } })).body.status;
  const host = { host: "127.0.0.1:1" };
  const found = await api.ask("GET", "/.well-known/openid-configuration", undefined, host);
  expect(found.body.jwks_uri).toBe("https://127.0.0.1:1/openid/v1/jwks");
  const keys = await api.ask("GET", new URL(found.body.jwks_uri).pathname);
  expect(keys.headers["content-type"]).toBe("application/jwk-set+json");
  const [jwk] = JSON.parse(keys.body).keys;
  const [header, claims, signature] = String(token).split(".") as [string, string, string];
  expect(read(header)).toEqual({ alg: "ES256", kid: jwk.kid });
  expect(read(claims)).toMatchObject({ aud: ["me"], iss: found.body.issuer, sub: "system:serviceaccount:default:a" });
  const key = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
  const isRight = (text: string) => verify("sha256", Buffer.from(text), key, Buffer.from(signature, "base64url"));
  expect([isRight(`${header}.${claims}`), isRight(`${header}.${claims}x`)]).toEqual([true, false]);
});

it("accepts tokens that it has signed, and no others", async () => {
  const api = asker();
  await api.ask("POST", accounts, { metadata: { name: "a" } });
  const { token } = (await api.ask("POST", `${accounts}/a/token`, {})).body.status;
  const other = asker({ restore: { ...api.server.snapshot() } });
  expect(other.server.users.find(token)?.username).toBe("system:serviceaccount:default:a");
  expect(asker().server.users.find(token)).toBeUndefined();
  const [header, claims, signature] = String(token).split(".");
  for (const damaged of [`${header}.${claims}.`, `${header}.${claims}`, `${header}.${claims}.${signature}.x`, "..", ""])
    expect(api.server.users.find(damaged)).toBeUndefined();
  const none = Buffer.from('{"alg":"none"}').toString("base64url");
  expect(api.server.users.find(`${none}.${claims}.`)).toBeUndefined();
});

function read(part: string): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}
