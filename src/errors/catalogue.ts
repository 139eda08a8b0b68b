import { checkErrors } from "./catalogue/check.ts";
import { cliErrors } from "./catalogue/cli.ts";
import { clientErrors } from "./catalogue/client.ts";
import { codegenErrors } from "./catalogue/codegen.ts";
import { localErrors } from "./catalogue/local.ts";
import { ociErrors } from "./catalogue/oci.ts";
import { olmErrors } from "./catalogue/olm.ts";
import { planErrors } from "./catalogue/plan.ts";
import { projectErrors } from "./catalogue/project.ts";
import { releaseErrors } from "./catalogue/release.ts";
import { runtimeErrors } from "./catalogue/runtime.ts";
import { sandboxErrors } from "./catalogue/sandbox.ts";

/**
 * Every error that a user can see: code, message and hint. Each room has a file under catalogue/; codes are never
 * reused.
 */
export const catalogue: Catalogue = {
  ...checkErrors,
  ...cliErrors,
  ...clientErrors,
  ...codegenErrors,
  ...ociErrors,
  ...olmErrors,
  ...planErrors,
  ...projectErrors,
  ...releaseErrors,
  ...runtimeErrors,
  ...localErrors,
  ...sandboxErrors,
};

type Catalogue = typeof checkErrors &
  typeof cliErrors &
  typeof clientErrors &
  typeof codegenErrors &
  typeof ociErrors &
  typeof olmErrors &
  typeof planErrors &
  typeof projectErrors &
  typeof releaseErrors &
  typeof runtimeErrors &
  typeof localErrors &
  typeof sandboxErrors;

/** The code of an error of tsop, such as `TSOP_PORT_IN_USE`: it names a row of the catalogue. */
export type ErrorCode = keyof Catalogue;

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type PlaceholdersOf<Code extends ErrorCode> = Placeholders<Catalogue[Code]["message" | "hint"]>;

/** The facts that the texts of a code mention. The compiler checks that each throw passes exactly these. */
export type Facts<Code extends ErrorCode> = { readonly [Name in PlaceholdersOf<Code>]: string | number };

/** Replaces `{name}` placeholders by facts. */
export function fillTemplate(template: string, facts: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in facts ? String(facts[name]) : whole));
}
