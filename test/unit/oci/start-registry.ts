import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startOwnRegistry } from "./own-registry.ts";

/** A registry on its own port. */
export interface Registry {
  readonly host: string;
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

export interface RegistryOptions {
  /** True to require `user` and `secret`. */
  readonly password?: boolean;
  /** Settings of the service whose tokens it requires. */
  readonly token?: { readonly realm: string; readonly certificate: string };
  readonly tls?: Certificate;
}

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

// A real registry: TSOP_REGISTRY, Debian's docker-registry, or distribution's `registry`.
const programs = [process.env["TSOP_REGISTRY"], "docker-registry", "registry"];
/** Path of the program, or undefined if it is not installed. */
export const registryProgram: string | undefined = programs.find((program) => {
  if (!program) return false;
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false; // not installed
  }
});

/** Starts a registry that stores its content in its own folder: the program if it is installed, else one in this process. */
export async function startRegistry(options: RegistryOptions = {}): Promise<Registry> {
  return registryProgram === undefined ? startOwnRegistry(options) : startProgram(registryProgram, options);
}

async function startProgram(program: string, { password, token, tls }: RegistryOptions): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), "tsop-registry-"));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const htpasswd = () => ({ htpasswd: { realm: "test", path: file("htpasswd", `user:${hashOfSecret}\n`) } });
  const tokens = ({ realm, certificate }: NonNullable<RegistryOptions["token"]>) => ({
    token: { realm, service: "registry", issuer: "test", rootcertbundle: file("token.pem", certificate) },
  });
  const config = {
    version: 0.1,
    log: { level: "info" },
    storage: { filesystem: { rootdirectory: join(folder, "data") } },
    http: {
      addr: "127.0.0.1:0",
      ...(tls ? { tls: { certificate: file("tls.pem", tls.certificate), key: file("tls.key", tls.key) } } : {}),
    },
    ...(password ? { auth: htpasswd() } : {}),
    ...(token ? { auth: tokens(token) } : {}),
  };
  const child = spawn(program, ["serve", file("config.yml", JSON.stringify(config))], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const port = await portOf(child);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill();
      await once(child, "exit");
    }
    rmSync(folder, { recursive: true });
  };
  return { host: `127.0.0.1:${port}`, folder, stop };
}

/** Creates a key and a self-signed certificate for 127.0.0.1, and for a name. */
export function selfSigned(name = "localhost"): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "tsop-certificate-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const args =
    `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1,DNS:${name}`.split(
      " ",
    );
  try {
    execFileSync("openssl", [...args, "-keyout", key, "-out", certificate], { stdio: "ignore" });
    const read = (path: string): string => execFileSync("cat", [path], { encoding: "utf8" });
    return { key: read(key), certificate: read(certificate) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** bcrypt of "secret" */
const hashOfSecret = "$2b$04$mHCv1R1AfkEYV/2ovWVV1udKpgj15tFuhj4..Zjk3aIbSBOo5ikG2";

async function portOf(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stderr! });
  const seen: string[] = [];
  for await (const line of lines) {
    seen.push(line);
    const port = /listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port) {
      // Also consumes the rest, so that the registry never blocks on a full pipe.
      child.stderr!.resume();
      return port;
    }
  }
  throw new Error(`the registry did not start:\n${seen.join("\n")}`);
}
