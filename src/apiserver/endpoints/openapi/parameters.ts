import { compareText } from "../../../apimachinery/compare-text.ts";
import { openApiTexts, type RecordedParameter } from "../../registry/open-api-texts.ts";

/** A parameter in OpenAPI v3. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: { readonly type: string; readonly uniqueItems: boolean };
}

/** Returns the recorded parameter of a name; some are described differently in the operations of one `owner`. */
export function findParameter(name: string, owner = ""): Parameter {
  const { parameters } = openApiTexts();
  return parameterOf(parameters[`${name} of ${owner}`] ?? parameters[name]!);
}

/** Returns the parameters that only one subresource has, such as `pods/exec`. */
export function ownParameters(owner: string): Parameter[] {
  return Object.entries(openApiTexts().parameters)
    .filter(([key]) => key.endsWith(` of ${owner}`))
    .map(([, recorded]) => parameterOf(recorded));
}

function parameterOf({ shared: _shared, schema: _schema, type = "", uniqueItems = false, ...rest }: RecordedParameter) {
  return { ...rest, schema: { type, uniqueItems } } as Parameter;
}

/** Returns the parameter of a path that names an object. */
export function nameParameter(kind: string): Parameter {
  const schema = { type: "string", uniqueItems: true };
  return { name: "name", in: "path", description: `name of the ${kind}`, required: true, schema };
}

/** Sorts parameters as a real server does. */
export function sortParameters(parameters: readonly Parameter[]): Parameter[] {
  return parameters.toSorted((a, b) => compareText(a.name, b.name) || compareText(a.in, b.in));
}
