import type { Argument } from "./argument.ts";
import type { MarkerTarget } from "./marker.ts";
import { markers } from "./registry.ts";

/** A marker as `tsop markers` and the documentation show it. */
export interface MarkerDescription {
  readonly name: string;
  /** Its syntax, such as `+kubebuilder:validation:MinLength=<int>`. */
  readonly usage: string;
  readonly targets: readonly MarkerTarget[];
  readonly help: string;
  /** The name of the variant for the elements of a list, if it exists. */
  readonly items?: string;
  readonly arguments: readonly ArgumentDescription[];
}

/** One named argument of a marker. */
export interface ArgumentDescription {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly help: string;
}

/**
 * Returns all markers of tsop, in the order of the reference.
 *
 * @example
 * const names = markerReference().map(({ name }) => name);
 */
export function markerReference(): MarkerDescription[] {
  return markers.map(({ name, targets, argument, help, items }) => ({
    name,
    usage: usage(name, argument),
    targets,
    help,
    ...(items ? { items: name.replace("validation:", "validation:items:") } : {}),
    arguments: describeArguments(argument),
  }));
}

function usage(name: string, argument: Argument<unknown>): string {
  switch (argument.shape) {
    case "none":
      return `+${name}`;
    case "raw":
      return `+${name}=<text>`;
    case "value":
      return `+${name}=<${argument.type.name}>`;
    case "named": {
      const fields = Object.entries(argument.fields).sort(([, a], [, b]) => Number(b.required) - Number(a.required));
      const shown = fields.map(([field, { type, required }], index) => {
        const text = `${index > 0 ? "," : ""}${field}=<${type.name}>`;
        return required ? text : `[${text}]`;
      });
      return `+${name}:${shown.join("")}`;
    }
  }
}

function describeArguments(argument: Argument<unknown>): ArgumentDescription[] {
  if (argument.shape !== "named") return [];
  return Object.entries(argument.fields).map(([name, { type, required, help }]) => ({
    name,
    type: type.name,
    required,
    help,
  }));
}
