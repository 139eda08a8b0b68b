// Calls a real API server as an administrator, for requests that `kubectl --raw` cannot send, such as patches of every
// type.
import { readFileSync } from "node:fs";
import { request } from "node:https";

export function createServerCaller(kubeconfig) {
  const text = readFileSync(kubeconfig, "utf8");
  const server = /server: "?([^",}]+)/.exec(text)[1];
  const ca = Buffer.from(/certificate-authority-data: ([A-Za-z0-9+/=]+)/.exec(text)[1], "base64");
  const token = /token: ([^},\s]+)/.exec(text)[1];
  return (method, path, body, type = "application/json") =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": type, accept: "application/json" };
      const call = request(
        new URL(path, server),
        { method, ca, headers, servername: "kubernetes" },
        async (response) => {
          const text = (await response.toArray()).join("");
          const warnings = [response.headers["warning"] ?? []]
            .flat()
            .map((line) => JSON.parse(line.slice("299 - ".length)));
          resolve({ status: response.statusCode, body: text.startsWith("{") ? JSON.parse(text) : text, warnings });
        },
      );
      call.on("error", reject);
      call.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
    });
}
