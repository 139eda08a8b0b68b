import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createAuthority,
  issueServerCertificate,
  type Certificate,
} from "../../apimachinery/certificates/issue-certificates.ts";
import { serverNames, startHttp, type RunningServer } from "../../apiserver/http/start-http.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { startSandbox } from "../start-sandbox.ts";
import { parseFlags } from "./parse-flags.ts";
import { logRefusals } from "./refusal-log.ts";
import { readKnownFlags, serverSettings, type ServerSettings } from "./server-settings.ts";

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
