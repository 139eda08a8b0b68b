/** A flag of a command that scaffolds. */
export interface ScaffoldFlag {
  /** As in the help: `--multigroup` is a switch, `--make [bool]` may be `--make=false`, `--owner <owner>` has a value. */
  readonly flag: string;
  /** The line of the help; absent if the flag is hidden. */
  readonly help?: string;
  /** How the text of a value is read, if it is not the value itself. */
  readonly type?: "number" | "list";
  readonly choices?: readonly string[];
  readonly byDefault?: unknown;
  /** The default in the help, if it is not the value. */
  readonly defaultHelp?: string;
}

/** The flags of a command by their names in code, in the order of the help. */
export type ScaffoldFlags = Readonly<Record<string, ScaffoldFlag>>;

/** What a command gets: only flags with a default always have a value. */
export type FlagsOf<Rows> = FlagValues<Rows> & {
  readonly [Name in keyof Rows as Rows[Name] extends { byDefault: unknown } ? Name : never]: ValueOf<Rows[Name]>;
};

/** Values of some flags. */
export type FlagValues<Rows> = { readonly [Name in keyof Rows]?: ValueOf<Rows[Name]> | undefined };

type ValueOf<Row> = Row extends { type: "list" }
  ? readonly string[]
  : Row extends { type: "number" }
    ? number
    : Row extends { choices: readonly (infer Choice)[] }
      ? Choice
      : Row extends { flag: `${string} <${string}>` }
        ? string
        : boolean;

/** Returns the words of a command line that give flags these values. */
export function flagWords<Rows extends ScaffoldFlags>(flags: Rows, values: FlagValues<Rows>): string[] {
  return Object.entries<ScaffoldFlag>(flags).flatMap(([key, { flag }]) => {
    const value = values[key] as string | number | boolean | readonly string[] | undefined;
    const [name = "", argument] = flag.split(" ");
    if (argument === undefined) return value === true ? [name] : [];
    return value === undefined ? [] : [`${name}=${String(value)}`];
  });
}
