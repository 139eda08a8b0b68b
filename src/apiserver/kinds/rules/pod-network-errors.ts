import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, duplicate, invalid, required } from "../../../apimachinery/field-error.ts";
import { addressErrors } from "./address-errors.ts";
import { dnsSubdomainErrors } from "./name-errors.ts";

const searchText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

/** Returns the errors in the names that a pod resolves, and in the ports that it has on its node. */
export function podNetworkErrors(spec: Fields, at: string): FieldError[] {
  return [
    ...dnsErrors(spec, `${at}.dnsConfig`),
    ...items(spec, "hostAliases").flatMap((alias, index) => aliasErrors(alias, `${at}.hostAliases[${index}]`)),
    ...hostPortErrors(spec, at),
  ];
}

function dnsErrors(spec: Fields, at: string): FieldError[] {
  const config = childIf(spec, "dnsConfig");
  const servers = (config?.["nameservers"] ?? []) as string[];
  const searches = (config?.["searches"] ?? []) as string[];
  const isMissing = spec["dnsPolicy"] === "None" && servers.length === 0;
  const missing = config
    ? required(`${at}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None")
    : required(at, "must provide `dnsConfig` when `dnsPolicy` is None");
  if (isMissing) return [missing];
  return [
    ...(servers.length > 3 ? [invalid(`${at}.nameservers`, servers, "must not have more than 3 nameservers")] : []),
    ...servers.flatMap((server, index) => addressErrors(`${at}.nameservers[${index}]`, server)),
    ...searches.flatMap((search, index) =>
      isSearch(search) ? [] : [invalid(`${at}.searches[${index}]`, search, searchText)],
    ),
    ...items(config, "options").flatMap(({ name }, index) =>
      name ? [] : [required(`${at}.options[${index}]`, "must not be empty")],
    ),
  ];
}

function isSearch(search: string): boolean {
  return search === "." || /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*\.?$/.test(search);
}

function aliasErrors({ ip, hostnames }: Fields, at: string): FieldError[] {
  return [
    ...addressErrors(`${at}.ip`, textOf(ip)),
    ...((hostnames ?? []) as string[]).flatMap((name, index) => dnsSubdomainErrors(`${at}.hostnames[${index}]`, name)),
  ];
}

function hostPortErrors(spec: Fields, at: string): FieldError[] {
  const taken = new Set<string>();
  const isOnHost = spec["hostNetwork"] === true;
  return items(spec, "containers").flatMap((container, index) =>
    items(container, "ports").flatMap(({ containerPort, hostPort, hostIP, protocol }, port) => {
      if (!hostPort) return [];
      const field = `${at}.containers[${index}].ports[${port}].hostPort`;
      const key = `${textOf(protocol)}/${textOf(hostIP)}/${hostPort as number}`;
      const isAgain = taken.has(key);
      taken.add(key);
      return [
        ...(isAgain ? [duplicate(field, key)] : []),
        ...(isOnHost && hostPort !== containerPort
          ? [invalid(field, hostPort, "must match `containerPort` when `hostNetwork` is true")]
          : []),
      ];
    }),
  );
}
