import { describe, expect, it } from "vitest";
import type { UnsupportedRequest } from "../../../src/apiserver/verbs/request/call.ts";
import { asker } from "./ask.ts";
import { installWidgets } from "./widgets.ts";

const pods = "/api/v1/namespaces/default/pods";

describe("what the server leaves out", () => {
  it.each([
    ["GET", `${pods}/a/exec`, 501, "pods/exec is not served: no containers run here"],
    ["POST", `${pods}/a/exec`, 501, "pods/exec is not served: no containers run here"],
    ["POST", `${pods}/a/attach`, 501, "pods/attach is not served: no containers run here"],
    ["GET", `${pods}/a/portforward`, 501, "pods/portforward is not served: no containers run here"],
    ["DELETE", `${pods}/a/proxy`, 501, "pods/proxy is not served: no containers run here"],
    ["GET", `${pods}/a/log`, 501, "no log of container c: containers do not run here"],
    [
      "GET",
      "/api/v1/namespaces/default/services/a:80/proxy/x/y",
      501,
      "services/proxy is not served: no containers run here",
    ],
    ["GET", `${pods}/a/proxy/`, 501, "pods/proxy is not served: no containers run here"],
    ["GET", "/api/v1/nodes/a/proxy/metrics", 501, "nodes/proxy is not served: no containers run here"],
    ["GET", "/debug/pprof/", 501, "/debug/pprof/ is not served: this is not a Go program"],
    ["GET", "/metrics", 501, "/metrics is not served: requests are not counted"],
    ["GET", "/api/v1/componentstatuses", 404, "componentstatuses in v1 are not served: there are no components here"],
  ])("is refused and reported: %s %s", async (method, url, code, message) => {
    const told: UnsupportedRequest[] = [];
    const api = asker({ onUnsupported: (request) => told.push(request) });
    await api.ask("POST", pods, {
      metadata: { name: "a" },
      spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] },
    });
    const { status, body } = await api.ask(method, `${url}?command=x`);
    expect([status, body.kind, body.message]).toEqual([code, "Status", message]);
    expect(told).toEqual([{ method, path: url, message }]);
    expect((await api.ask("GET", `${pods}/a`)).body.metadata.deletionTimestamp).toBeUndefined();
  });

  it("is neither an unknown resource nor a custom kind of the same name", async () => {
    const told: UnsupportedRequest[] = [];
    const api = asker({ onUnsupported: (request) => told.push(request) });
    await installWidgets(api);
    for (const url of ["/api/v1/things", `${pods}/b`, "/apis/example.com/v1/flowschemas", "/logs"])
      expect((await api.ask("GET", url)).status).toBe(404);
    expect(told).toEqual([]);
  });
});
