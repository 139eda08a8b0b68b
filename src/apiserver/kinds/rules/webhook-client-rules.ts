import { type FieldError, invalid, required as missing } from "../../../apimachinery/field-error.ts";
import type { Fields } from "../../../apimachinery/fields.ts";
import { anyText, type FieldRule, fieldRules, maximum, minimum, must, required, unique } from "./field-rules.ts";
import { dns1035Errors } from "./name-errors.ts";

const partErrors = fieldRules({
  url: anyText(urlErrors),
  service: {
    "(name|namespace)": required(),
    path: must((path: string) => path.startsWith("/"), "must start with a '/'"),
    port: [minimum(1), maximum(65_535)],
  },
});

/** The rule of the address of a webhook. */
export const clientConfig: FieldRule = (config, at) => {
  const { url, service } = (config ?? {}) as Fields;
  const isOne = (url === undefined) !== (service === undefined);
  return isOne ? partErrors(config as Fields, at) : [missing(at, "exactly one of url or service is required")];
};

function urlErrors(at: string, text: string): FieldError[] {
  const { protocol, username, hash, search, host } = URL.canParse(text) ? new URL(text) : ({} as Partial<URL>);
  if (protocol === "https:" && host && !username && !hash && !search) return [];
  return [invalid(at, text, "must be https://host[/path], without a user, a query or a fragment")];
}

const known = ["v1", "v1beta1"];

/** The rules of the review versions that a webhook accepts, which must not be missing. */
export const reviewVersions: readonly FieldRule[] = [
  required(),
  unique(),
  must(
    (versions: string[]) => versions.some((version) => known.includes(version)),
    `must include ${known.join(" or ")}`,
  ),
];

/** The rule of a review version. */
export const reviewVersion: FieldRule = anyText(dns1035Errors);
