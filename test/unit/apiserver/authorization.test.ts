import { describe, expect, it } from "vitest";
import { asker, type Asker } from "./ask.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const asUser = { "impersonate-user": "u" };

async function allow(api: Asker, rule: object): Promise<void> {
  await api.ask("POST", `${rbac}/clusterroles`, { metadata: { name: "a" }, rules: [rule] });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "a" };
  const subjects = [{ kind: "Group", name: "system:authenticated" }];
  await api.ask("POST", `${rbac}/clusterrolebindings`, { metadata: { name: "a" }, roleRef, subjects });
}

describe("with roles", () => {
  it.each([
    ["GET", "/"],
    ["GET", "/api"],
    ["GET", "/api/v9"],
    ["GET", "/apis"],
    ["GET", "/apis/none.example.com"],
    ["GET", "/healthz"],
    ["GET", "/metrics"],
    ["GET", "/openapi/v2"],
    ["GET", "/openapi/v3"],
    ["GET", "/openapi/v3/apis/none.example.com/v1"],
    ["GET", "/openid/v1/jwks"],
    ["GET", "/version"],
    ["POST", "/version"],
    ["GET", "/nothing"],
  ])("refuses %s %s before it looks for a document", async (method, path) => {
    const api = asker({ rbac: true });
    const accept = "text/html";
    const { status, body } = await api.ask(method, path, undefined, { ...asUser, accept });
    expect([status, body.message]).toEqual([
      403,
      `forbidden: User "u" cannot ${method.toLowerCase()} path ${JSON.stringify(path)}`,
    ]);
  });

  it.each([
    ["/api/v1/namespaces/default/nothing", "nothing", ""],
    ["/apis/none.example.com/v1/namespaces/default/things", "things", "none.example.com"],
    ["/api/v1/namespaces/default/pods/a/nothing", "pods/nothing", ""],
    ["/api/v1/namespaces/default/pods/a/exec", "pods/exec", ""],
  ])("refuses GET %s before it looks for the resource", async (path, resource, group) => {
    const { status, body } = await asker({ rbac: true }).ask("GET", path, undefined, asUser);
    expect(status).toBe(403);
    expect(body.message).toContain(`resource "${resource}" in API group "${group}" in the namespace "default"`);
  });

  it("serves the paths of the role system:discovery, and no other, to users who have it", async () => {
    const api = asker({ rbac: true });
    const nonResourceURLs = ["/api", "/api/*", "/apis", "/apis/*", "/healthz", "/openapi", "/openapi/*", "/version"];
    await allow(api, { nonResourceURLs, verbs: ["get"] });
    for (const path of ["/api", "/api/v1", "/apis", "/apis/apps/v1", "/healthz", "/openapi/v3", "/version"])
      expect([path, (await api.ask("GET", path, undefined, asUser)).status]).toEqual([path, 200]);
    for (const path of ["/", "/openid/v1/jwks", "/api/v1/namespaces"])
      expect([path, (await api.ask("GET", path, undefined, asUser)).status]).toEqual([path, 403]);
  });

  it("responds with 404 or 501 to a user who may read the resource", async () => {
    const api = asker({ rbac: true });
    await allow(api, { apiGroups: ["*"], resources: ["*"], verbs: ["*"] });
    for (const path of ["/api/v1/nothing", "/apis/none.example.com/v1/things"])
      expect((await api.ask("GET", path, undefined, asUser)).status).toBe(404);
    expect((await api.ask("GET", "/api/v1/namespaces/default/pods/a/exec", undefined, asUser)).status).toBe(501);
  });
});
