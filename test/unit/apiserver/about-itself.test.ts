import { createPublicKey, verify } from "node:crypto";
import { expect, it } from "vitest";
import { asker } from "./ask.ts";

const accounts = "/api/v1/namespaces/default/serviceaccounts";

it("counts requests, objects and what the process takes under a real server's names", async () => {
  const api = asker();
  const before = (await api.ask("GET", "/metrics")).body as string;
  expect(before).toMatch(/^apiserver_resource_objects\{group="",resource="configmaps"\} 0$/m);
  expect(before).not.toContain("apiserver_request_total{");
  for (const name of ["a", "b"]) await api.ask("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name } });
  await api.ask("GET", "/api/v1/configmaps");
  await api.ask("GET", "/api/v1/namespaces/default/configmaps/none");
  const { headers, body } = await api.ask("GET", "/metrics");
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8; escaping=underscores");
  const labels = (code: number, scope: string, verb: string) =>
    `apiserver_request_total{code="${code}",component="apiserver",dry_run="",group="",resource="configmaps",scope="${scope}",subresource="",verb="${verb}",version="v1"}`;
  const lines = (body as string).split("\n");
  expect(lines).toContain(`${labels(201, "resource", "POST")} 2`);
  expect(lines).toContain(`${labels(200, "cluster", "LIST")} 1`);
  expect(lines).toContain(`${labels(404, "resource", "GET")} 1`);
  expect(lines).toContain('apiserver_resource_objects{group="",resource="configmaps"} 2');
  expect(body).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
  expect(body).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
  // Each line is a comment or a sample, and each metric has its type.
  for (const line of lines.filter(Boolean)) expect(line).toMatch(/^(# (HELP|TYPE) \w+ |\w+(\{[^}]*\})? [\d.e+-]+$)/);
});

it("gives out the key that tokens of service accounts are signed with", async () => {
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

it("lets in who has a token that it has signed, and nobody else", async () => {
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
