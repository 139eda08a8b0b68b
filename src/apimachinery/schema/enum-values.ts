import { equalJson } from "../equal.ts";
import { showItems } from "../field-error.ts";

/** The values of an enum, of which a schema may have thousands: finding one takes the same time for each. */
interface EnumValues {
  /** The lists and objects, which are compared one by one. */
  readonly structures: readonly unknown[];
  /** The values as an error lists them. */
  readonly text: string;
  has(value: unknown): boolean;
}

const known = new WeakMap<readonly unknown[], EnumValues>();

/** Returns the values of an enum of a schema, which does not change. */
export function enumOf(items: readonly unknown[]): EnumValues {
  let values = known.get(items);
  if (!values) known.set(items, (values = new Values(items)));
  return values;
}

class Values implements EnumValues {
  readonly structures: readonly unknown[];
  private readonly scalars: ReadonlySet<unknown>;
  private readonly items: readonly unknown[];
  private shown: string | undefined;

  constructor(items: readonly unknown[]) {
    this.items = items;
    this.structures = items.filter((item) => typeof item === "object" && item !== null);
    this.scalars = new Set(items);
  }

  get text(): string {
    return (this.shown ??= showItems(this.items));
  }

  has(value: unknown): boolean {
    if (typeof value === "object" && value !== null) return this.structures.some((item) => equalJson(item, value));
    // The server converts a number to the type of the item: a fraction is cut off for an integer.
    return this.scalars.has(value) || (typeof value === "number" && this.scalars.has(Math.trunc(value)));
  }
}
