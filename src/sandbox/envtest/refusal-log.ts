import { appendFileSync } from "node:fs";
import { failure, type Status } from "../../apimachinery/status.ts";
import type { ServerResponse } from "../../apiserver/api-server.ts";
import { responseText } from "../../apiserver/audit/audit-event.ts";
import { isUnserved } from "../../apiserver/endpoints/resource-request.ts";
import type { SandboxOptions } from "../start-sandbox.ts";

/**
 * Returns the options of a sandbox that appends a line with the reason of each refused request to the file that
 * TSOP_ENVTEST_LOG names. Objects that are not found are left out: reading them is how controllers look.
 */
export function logRefusals(env: Readonly<Record<string, string | undefined>>): Pick<SandboxOptions, "onAudit"> {
  const file = env["TSOP_ENVTEST_LOG"];
  if (!file) return {};
  // Servers of several packages write to one file, whole lines each. The first write fails if none is possible.
  const log = (line: string): void => appendFileSync(file, line);
  log("");
  return {
    onAudit({ request: { method, url }, response, user, target }) {
      if (response.status < 400) return;
      const status = statusOf(response);
      const word = isUnserved(status) ? "unsupported" : "refused";
      if (word === "refused" && response.status === 404 && method === "GET" && target?.name !== undefined) return;
      const what = `${word}: ${response.status} ${method} ${url} (${user.username}): ${status.message}`;
      log(`${new Date().toISOString()} ${process.pid} ${what}\n`);
    },
  };
}

function statusOf(response: ServerResponse): Status {
  const text = responseText(response) ?? "";
  // Paths that do not exist are answered with a plain text.
  return text.startsWith("{") ? (JSON.parse(text) as Status) : failure("NotFound", text.trim());
}
