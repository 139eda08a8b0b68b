import { isIP } from "node:net";
import { hostOf } from "./connection-pool.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The proxy that the environment names for a server, as Go reads it: never for the machine itself. */
export function proxyFromEnvironment(server: string, env: Env): string | undefined {
  if (!URL.canParse(server)) return undefined;
  const url = new URL(server);
  const { protocol, port } = url;
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = env[name] ?? env[name.toLowerCase()];
  const host = hostOf(url);
  if (!proxy || host === "localhost" || host === "::1" || host.startsWith("127.")) return undefined;
  const exceptions = (env["NO_PROXY"] ?? env["no_proxy"] ?? "").split(",").map((each) => each.trim().toLowerCase());
  if (exceptions.some((exception) => matches(exception, host, port || (protocol === "https:" ? "443" : "80"))))
    return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/** `*`, `example.com` and what is below it, `.example.com`, an address, a CIDR of IPv4; each with or without a port. */
function matches(exception: string, host: string, port: string): boolean {
  if (exception === "") return false;
  if (exception === "*") return true;
  const [name = "", onlyPort] = exception.split(/:(?=\d+$)/);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (name.includes("/")) return inNetwork(name, host);
  return host === name || host.endsWith(name.startsWith(".") ? name : `.${name}`) || `.${host}` === name;
}

function inNetwork(cidr: string, host: string): boolean {
  const [network = "", bits = ""] = cidr.split("/");
  if (isIP(network) !== 4 || isIP(host) !== 4) return false;
  const shift = 32 - Number(bits);
  return shift >= 32 || numberOf(network) >>> shift === numberOf(host) >>> shift;
}

function numberOf(address: string): number {
  return address.split(".").reduce((sum, part) => (sum << 8) | Number(part), 0) >>> 0;
}
