import { expect, it, onTestFinished } from "vitest";
import { ApiCaller } from "../../../../src/client/calls/api-caller.ts";
import { discoverAll } from "../../../../src/client/discovery/discover-all.ts";
import { HttpTransport } from "../../../../src/client/transport/http-transport.ts";
import { ScriptedServer } from "../../scripted-server.ts";

it("leaves out groups whose APIService is away, and resources that have only subresources", async () => {
  const resource = (name: string, responseKind: object | null) => ({
    resource: name,
    responseKind,
    scope: "Namespaced",
    verbs: ["list"],
    subresources: [{ subresource: "console" }],
  });
  const resources = [resource("things", { kind: "Thing" }), resource("machines", {}), resource("disks", null)];
  const groups = [
    { metadata: { name: "away.example.com" }, versions: [{ version: "v1", freshness: "Stale" }] },
    { metadata: { name: "example.com" }, versions: [{ version: "v1", freshness: "Current", resources }] },
  ];
  const server = await ScriptedServer.start((exchange) =>
    exchange.json({ items: exchange.url.pathname === "/apis" ? groups : [] }),
  );
  const transport = new HttpTransport(server.config);
  onTestFinished(() => transport.close());
  const found = await discoverAll(new ApiCaller(transport));
  expect(found.map(({ kind, verbs }) => [kind.group, kind.plural, kind.kind, verbs])).toEqual([
    ["example.com", "things", "Thing", ["list"]],
  ]);
});
