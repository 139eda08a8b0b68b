import { expect, it } from "vitest";
import { asker } from "./ask.ts";

const accounts = "/api/v1/namespaces/default/serviceaccounts";

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
