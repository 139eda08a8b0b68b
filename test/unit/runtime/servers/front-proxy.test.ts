import { request } from "node:https";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  createAuthority,
  issueClientCertificate,
  issueServerCertificate,
  type Certificate,
} from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import type { Reader } from "../../../../src/client/client.ts";
import { loadFrontProxy } from "../../../../src/runtime/servers/front-proxy.ts";
import { Server } from "../../../../src/runtime/servers/server.ts";

const authority = createAuthority(Date.now());
const data = {
  "requestheader-allowed-names": '["front-proxy-client"]',
  "requestheader-client-ca-file": authority.cert,
  "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
  "requestheader-group-headers": '["X-Remote-Group"]',
  "requestheader-uid-headers": '["X-Remote-Uid"]',
  "requestheader-username-headers": '["X-Remote-User"]',
};
const reader = { get: () => Promise.resolve({ data }) } as unknown as Reader;
const stopping = new AbortController();
let server: Server;
let running: Promise<void>;

beforeAll(async () => {
  const frontProxy = await loadFrontProxy(reader);
  server = new Server({
    name: "things",
    address: "127.0.0.1:0",
    tls: { ...issueServerCertificate(authority, ["localhost"], Date.now()), ...frontProxy.tls },
    handler: (asked, response) => void response.end(JSON.stringify(frontProxy.userOf(asked) ?? "nobody")),
  });
  await server.listen();
  running = server.start(stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await running;
});

const headers = {
  "x-remote-user": "jane",
  "x-remote-uid": "7",
  "x-remote-group": ["a", "b"],
  "x-remote-extra-example.com%2fteam": "x",
};

function ask(certificate?: Certificate): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const options = { host: "localhost", port: server.port, ca: authority.cert, headers, ...certificate };
    request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(JSON.parse(text)));
    })
      .once("error", reject)
      .end();
  });
}

it("returns the user whom the API server names", async () => {
  const extra = { "example.com/team": ["x"] };
  const user = { username: "jane", uid: "7", groups: ["a", "b"], extra };
  expect(await ask(issueClientCertificate(authority, "front-proxy-client", Date.now()))).toEqual(user);
});

it.each([
  ["without a certificate", undefined],
  ["with the certificate of another client", issueClientCertificate(authority, "jane", Date.now())],
  [
    "with a certificate of another authority",
    issueClientCertificate(createAuthority(Date.now()), "front-proxy-client", Date.now()),
  ],
])("returns no user of a request %s", async (_, certificate) => {
  expect(await ask(certificate)).toBe("nobody");
});
