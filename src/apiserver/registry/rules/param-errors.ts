import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from "../../../apimachinery/schema/field-error.ts";
import { childIf, type Fields, textOf } from "../../../apimachinery/fields.ts";
import { labelSelectorErrors } from "./label-selector-errors.ts";
import { dns1035Errors, dnsSubdomainErrors, pathSegmentErrors } from "./name-errors.ts";

/** What is wrong with the kind of a policy's parameters. */
export function paramKindErrors(paramKind: Fields | undefined, at: string): FieldError[] {
  if (!paramKind) return [];
  const kind = textOf(paramKind["kind"]);
  return [
    ...versionErrors(textOf(paramKind["apiVersion"]), `${at}.apiVersion`),
    ...(kind === "" ? [required(`${at}.kind`)] : []),
    ...(kind === "" ? [] : dns1035Errors(`${at}.kind`, kind.toLowerCase()).map((error) => mixedCase(error, kind))),
  ];
}

function versionErrors(apiVersion: string, field: string): FieldError[] {
  if (apiVersion === "") return [required(field)];
  const parts = apiVersion.split("/");
  if (parts.length > 2) return [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [version = "", group = ""] = parts.toReversed();
  return [
    ...(group ? dnsSubdomainErrors(field, group) : []),
    ...(version ? dns1035Errors(field, version) : [invalid(field, apiVersion, "version must be specified")]),
  ];
}

/** The rule for labels, told of a kind. */
function mixedCase({ message, ...error }: FieldError, kind: string): FieldError {
  const detail = message.slice(`Invalid value: ${JSON.stringify(kind.toLowerCase())}: `.length);
  const { field } = error;
  return invalid(field, kind, `may have mixed case, but should otherwise match: ${detail}`);
}

const notFoundActions = ["Deny", "Allow"];
const exclusive = "name and selector are mutually exclusive";

/** What is wrong with the parameters that a binding names. */
export function paramRefErrors(ref: Fields | undefined, at: string): FieldError[] {
  if (!ref) return [];
  const name = textOf(ref["name"]);
  const action = textOf(ref["parameterNotFoundAction"]);
  const selector = childIf(ref, "selector");
  return [
    ...(name ? pathSegmentErrors(`${at}.name`, name) : []),
    ...(name && selector ? [forbidden(`${at}.name`, exclusive), forbidden(`${at}.selector`, exclusive)] : []),
    ...labelSelectorErrors(selector, `${at}.selector`),
    ...(name || selector ? [] : [required(at, "one of name or selector must be specified")]),
    ...(action ? [] : [required(`${at}.parameterNotFoundAction`)]),
    ...(action && !notFoundActions.includes(action)
      ? [notSupported(`${at}.parameterNotFoundAction`, action, notFoundActions)]
      : []),
  ];
}
