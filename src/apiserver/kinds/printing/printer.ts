import type { Fields } from "../../../apimachinery/fields.ts";
import { textAt } from "./field-access.ts";
import { creationAge } from "./human-duration.ts";

export type Cell = string | number | boolean | null;

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** Turns objects of a kind into rows of a Table. */
export interface Printer {
  readonly columns: readonly TableColumn[];
  cells(object: Fields, now: number): Cell[];
}

/**
 * Returns a printer whose first column is the name. The others are written `Ready|Age|Images*`: `:type` if a column is not
 * text, `*` if only `-o wide` shows it. `cells` returns those but for the name and the age.
 */
export function printer(text: string, cells: Printer["cells"], descriptions: Descriptions = {}): Printer {
  const columns = [nameColumn, ...parseColumns(text, descriptions)];
  const age = columns.findIndex(({ name }) => name === "Age");
  return {
    columns,
    cells(object, now) {
      const all = [textAt(object, "metadata", "name"), ...cells(object, now)];
      return age < 0 ? all : all.toSpliced(age, 0, creationAge(object, now));
    },
  };
}

/** Descriptions by the name of their column. Clients do not show them, and most columns have none. */
type Descriptions = Readonly<Record<string, string>>;

/** The column of the name. Its description is that of the field, as is that of the age. */
export const nameColumn: TableColumn = {
  name: "Name",
  type: "string",
  format: "name",
  description:
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a " +
    "client to request the generation of an appropriate name automatically. Name is primarily intended for creation " +
    "idempotence and configuration definition. Cannot be updated. More info: " +
    "https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  priority: 0,
};

/** The description of the column for the age. */
export const ageDescription: string =
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be " +
  "set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 " +
  "form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: " +
  "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** Parses the short notation of `printer`. */
export function parseColumns(columns: string, descriptions: Descriptions = {}): TableColumn[] {
  return columns.split("|").map((text) => {
    const wide = text.endsWith("*");
    const [name = "", type = "string"] = (wide ? text.slice(0, -1) : text).split(":");
    const description = descriptions[name] ?? (name === "Age" ? ageDescription : "");
    return { name, type, format: "", description, priority: wide ? 1 : 0 };
  });
}

/** Returns the first three texts of a list and the number of the others; `""` for an empty list. */
export function firstThree(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(",");
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown;
}

/** Printer of a kind with the age alone. */
export const agePrinter: Printer = printer("Age", () => []);

/** Printer of a kind without its own printer. */
export const plainPrinter: Printer = printer("Created At:date", (object) => [
  textAt(object, "metadata", "creationTimestamp"),
]);
