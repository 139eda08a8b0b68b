import { writeFileSync, appendFileSync } from "node:fs";
import { join } from "node:path";
import {
  createAuthority,
  issueServerCertificate,
  type Certificate,
} from "../../apimachinery/certificates/issue-certificates.ts";
import { serverNames, startHttp, type RunningServer } from "../../apiserver/http/start-http.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { startSandbox, type SandboxOptions } from "../start-sandbox.ts";
import { parseFlags } from "./parse-flags.ts";
import { readKnownFlags, serverSettings, type ServerSettings } from "./server-settings.ts";
import { failure, type Status } from "../../apimachinery/status.ts";
import type { ServerResponse } from "../../apiserver/api-server.ts";
import { responseText } from "../../apiserver/audit/audit-event.ts";
import { isUnserved } from "../../apiserver/endpoints/resource-request.ts";

export interface ProgramHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Prints a line. */
  readonly emit: (line: string) => void;
}

/**
 * Runs the embedded server with a command line of kube-apiserver until the signal aborts: without controllers and
 * nodes, as envtest runs the real one.
 */
export async function runApiServer(args: readonly string[], { env, signal, emit }: ProgramHost): Promise<void> {
  const known = readKnownFlags();
  const settings = serverSettings(parseFlags(args, known.flags), known);
  const { withoutEffect, kubernetesVersion, host, rbac, accounts } = settings;
  if (withoutEffect.length > 0) emit(`without effect in tsop's server: ${withoutEffect.join(", ")}`);
  const certificate = settings.certificate ?? (await makeCertificate(settings));
  const { done } = await startSandbox(
    {
      simulate: false,
      kubernetesVersion,
      rbac,
      accounts,
      ...logRefusals(env),
      async listen(server, options): Promise<RunningServer> {
        const { port, clientAuthority } = settings;
        const clients = clientAuthority !== undefined && { clientAuthority };
        const running = await startHttp(server, { ...options, host, port, certificate, ...clients });
        emit(`Serving securely on ${host.includes(":") ? `[${host}]` : host}:${running.port}`);
        return running;
      },
    },
    signal,
  );
  await done;
}

/** Issues a certificate, and leaves it in the folder of certificates with its authority, as kube-apiserver does. */
async function makeCertificate({ host, certificateFolder }: ServerSettings): Promise<Certificate> {
  const now = Date.now();
  const authority = createAuthority(now);
  const { cert, key } = issueServerCertificate(authority, [...new Set([...serverNames, host])], now);
  const certificate = { cert: cert + authority.cert, key };
  if (certificateFolder !== undefined) {
    await makeFolder(certificateFolder);
    writeFileSync(join(certificateFolder, "apiserver.crt"), certificate.cert);
    writeFileSync(join(certificateFolder, "apiserver.key"), key, { mode: 0o600 });
  }
  return certificate;
}

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
