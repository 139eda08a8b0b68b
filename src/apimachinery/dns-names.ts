// The API server's messages about names.

export const labelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
export const subdomainPattern: string = `${labelPattern}(\\.${labelPattern})*`;

const label = new RegExp(`^${labelPattern}$`);
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = new RegExp(`^${subdomainPattern}$`);

const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  `alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelPattern}')`;
const dns1035Text =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end " +
  "with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
export const subdomainText: string =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  `with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`;

export function isSubdomain(value: string): boolean {
  return subdomain.test(value);
}

/**
 * Returns what is wrong with a DNS subdomain, in the API server's words: the name of most objects, such as
 * `example.com`.
 *
 * @example
 * const host = secret.data?.["host"] ?? "";
 * for (const problem of dnsSubdomainProblems(host)) ctx.log.info("The host is invalid", { host, problem });
 */
export function dnsSubdomainProblems(value: string): string[] {
  const problems = Buffer.byteLength(value) > 253 ? ["must be no more than 253 characters"] : [];
  return isSubdomain(value) ? problems : [...problems, subdomainText];
}

/**
 * Returns what is wrong with a DNS label, in the API server's words: the name of a namespace or a container, such as
 * `my-name`.
 *
 * @example
 * const { name } = memcached.metadata;
 * if (dnsLabelProblems(name).length > 0) throw new TerminalError(`${name} cannot be the name of a container`);
 */
export function dnsLabelProblems(value: string): string[] {
  const problems = Buffer.byteLength(value) > 63 ? ["must be no more than 63 characters"] : [];
  if (label.test(value)) return problems;
  return [...problems, isSubdomain(value) ? "must not contain dots" : labelText];
}

/**
 * Returns what is wrong with a DNS-1035 label, in the API server's words: the name of a Service, which begins with a
 * letter.
 *
 * @example
 * const [problem] = dns1035LabelProblems(`${memcached.metadata.name}-headless`);
 * if (problem) throw new TerminalError(`the name of the Service: ${problem}`);
 */
export function dns1035LabelProblems(value: string): string[] {
  const problems = Buffer.byteLength(value) > 63 ? ["must be no more than 63 characters"] : [];
  return label1035.test(value) ? problems : [...problems, dns1035Text];
}
