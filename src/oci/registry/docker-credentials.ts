import { execFile } from "node:child_process";
import { TsopError } from "../../errors/tsop-error.ts";

/** A name and a password, or a token instead of both. */
export type Credentials = { readonly username: string; readonly password: string } | { readonly identityToken: string };

/** The credentials in Docker's config.json. */
export interface DockerConfig {
  readonly auths?: Readonly<
    Record<string, { auth?: string; username?: string; password?: string; identitytoken?: string }>
  >;
  readonly credHelpers?: Readonly<Record<string, string>>;
  readonly credsStore?: string;
}

/** Parses a config.json. */
export function parseDockerConfig(text: string, file: string): DockerConfig {
  try {
    return JSON.parse(text) as DockerConfig;
  } catch (cause) {
    throw new TsopError("TSOP_DOCKER_CONFIG", { file, reason: (cause as Error).message }, { cause });
  }
}

/**
 * Finds the credentials that `docker login` stored for a registry: in a helper of its own, in the common store, or in
 * the file.
 */
export async function findCredentials(host: string, config: DockerConfig): Promise<Credentials | undefined> {
  const names =
    host === "docker.io" ? [hub, "docker.io", "index.docker.io"] : [host, `https://${host}`, `http://${host}`];
  const helper = names.map((name) => config.credHelpers?.[name]).find(Boolean) ?? config.credsStore;
  if (helper) {
    const found = await askHelper(helper, names[0]!);
    if (found) return found;
  }
  const entry = names.map((name) => config.auths?.[name] ?? config.auths?.[`${name}/`]).find(Boolean);
  if (entry?.identitytoken) return { identityToken: entry.identitytoken };
  if (entry?.auth) return splitAuth(entry.auth, host);
  return entry?.username ? { username: entry.username, password: entry.password ?? "" } : undefined;
}

const hub = "https://index.docker.io/v1/";

function splitAuth(auth: string, host: string): Credentials | undefined {
  const text = Buffer.from(auth, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0)
    throw new TsopError("TSOP_DOCKER_CONFIG", {
      file: "auths",
      reason: `the auth of ${host} is not name:password in base64`,
    });
  return { username: text.slice(0, colon), password: text.slice(colon + 1).replace(/\0+$/, "") };
}

/** Runs a helper with the protocol of docker-credential-helpers: the server's name on stdin, JSON on stdout. */
async function askHelper(helper: string, server: string): Promise<Credentials | undefined> {
  const program = `docker-credential-${helper}`;
  const refuse = (reason: string, cause?: unknown): never => {
    throw new TsopError("TSOP_CREDENTIAL_HELPER", { program, host: server, reason }, { cause });
  };
  const output = await new Promise<string | undefined>((resolve, reject) => {
    const child = execFile(program, ["get"], (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else if (/credentials not found/i.test(stdout + stderr)) resolve(undefined);
      else reject(new Error((stdout + stderr).trim() || error.message, { cause: error }));
    });
    // If a helper exits without reading, its exit code is the result.
    child.stdin?.on("error", () => {});
    child.stdin?.end(server);
  }).catch((error: Error) => refuse(error.message, error));
  if (output === undefined) return undefined;
  const { Username, Secret } = parseAnswer(output) ?? refuse("it did not print a Username and a Secret");
  return Username === "<token>" ? { identityToken: Secret } : { username: Username, password: Secret };
}

function parseAnswer(text: string): { Username: string; Secret: string } | undefined {
  try {
    const { Username, Secret } = JSON.parse(text) as { Username?: unknown; Secret?: unknown };
    return typeof Username === "string" && typeof Secret === "string" ? { Username, Secret } : undefined;
  } catch {
    return undefined; // the caller reports it
  }
}
