import type { Resource } from "../../project.ts";
import { createFlags, nameFlags, sharedValues } from "../api/resource-flags.ts";
import type { FlagsOf, FlagValues } from "../scaffold-flag.ts";

const ownFlags = {
  defaulting: { flag: "--defaulting", help: "add a webhook that sets defaults" },
  programmaticValidation: { flag: "--programmatic-validation", help: "add a webhook that validates objects" },
  conversion: { flag: "--conversion", help: "convert between the kind's other versions and this one, the hub" },
  spoke: {
    flag: "--spoke <versions>",
    help: "versions to convert, separated by commas",
    type: "list",
    byDefault: [],
    defaultHelp: "all others",
  },
  defaultingPath: { flag: "--defaulting-path <path>", help: "URL path of the defaulting webhook" },
  validationPath: { flag: "--validation-path <path>", help: "URL path of the validating webhook" },
  cert: {
    flag: "--cert <source>",
    help: "issuer of the certificate: cert-manager (default), or the operator itself",
    choices: ["cert-manager", "self-signed"],
  },
} as const;

/** The flags of `tsop create webhook`. */
export const webhookFlags: typeof ownFlags & typeof nameFlags & typeof createFlags = {
  ...nameFlags,
  ...ownFlags,
  ...createFlags,
};

export type WebhookFlags = FlagsOf<typeof webhookFlags>;

/** The issuer of the webhook server's certificate: cert-manager, or the operator itself. */
export type CertificateSource = NonNullable<WebhookFlags["cert"]>;

/** Returns the flags of the command that recreates the webhooks of a kind; none if it has no webhooks. */
export function webhookValues(
  resource: Resource,
  cert: CertificateSource | undefined,
): FlagValues<typeof webhookFlags>[] {
  const { defaulting, validation: programmaticValidation, conversion, ...rest } = resource.webhooks ?? {};
  if (!defaulting && !programmaticValidation && !conversion) return [];
  const { spoke, defaultingPath, validationPath } = rest;
  const types = { defaulting, programmaticValidation, conversion, spoke, defaultingPath, validationPath };
  return [{ ...sharedValues(resource), ...types, cert }];
}
