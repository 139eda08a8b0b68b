import { BlockList, isIP } from "node:net";
import { hostOf } from "../connections/connection-pool.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the proxy of the environment for a server, by Go's rules: never for this machine. */
export function proxyFromEnvironment(server: string, env: Env): string | undefined {
  if (!URL.canParse(server)) return undefined;
  const url = new URL(server);
  const { protocol, port } = url;
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = env[name] || env[name.toLowerCase()];
  const host = hostOf(url);
  if (!proxy || host === "localhost" || host === "::1" || host.startsWith("127.")) return undefined;
  const exceptions = (env["NO_PROXY"] || env["no_proxy"] || "").split(",").map((each) => each.trim().toLowerCase());
  if (exceptions.some((exception) => matches(exception, host, port || (protocol === "https:" ? "443" : "80"))))
    return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/**
 * Matches `*`, `example.com` with its subdomains, `.example.com` or `*.example.com` for subdomains only, an address, or
 * a CIDR.
 */
function matches(exception: string, host: string, port: string): boolean {
  if (exception === "") return false;
  if (exception === "*") return true;
  const [name = "", onlyPort] = exception.split(/:(?=\d+$)/);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (name.includes("/")) return inNetwork(name, host);
  const below = name.replace(/^\*\./, ".");
  return host === name || host.endsWith(below.startsWith(".") ? below : `.${below}`);
}

function inNetwork(cidr: string, host: string): boolean {
  const [network = "", bits = ""] = cidr.split("/");
  const [family, length] = [isIP(network), Number(bits)];
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || length > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(network, length, type);
  return list.check(host, type);
}
