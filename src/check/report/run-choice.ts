import { quoteWord } from "../../sandbox/disk/write-kubeconfig.ts";

/**
 * What a user has chosen for the runs of a check. Objects and steps are in the file of a finding. The command and the
 * test that repeat a finding are made from it.
 */
export interface RunChoice {
  readonly exec?: string | undefined;
  readonly apply?: readonly string[] | undefined;
  readonly with?: readonly string[] | undefined;
  readonly rbac?: boolean | undefined;
  /** How the operator runs, unless the check chooses. */
  readonly engine?: string | undefined;
  readonly upgradeFrom?: ChosenVersion | undefined;
  readonly jobs?: number | undefined;
  /** The variables that differ from the environment of the check. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly args?: readonly string[] | undefined;
}

/** The version from which users upgrade. */
interface ChosenVersion {
  readonly revision?: string | undefined;
  readonly exec?: string | undefined;
  readonly apply?: readonly string[] | undefined;
}

/** Formats the command that repeats the run of a file. */
export function formatReplay(file: string, { upgradeFrom: older = {}, ...choice }: RunChoice): string {
  const flag = (name: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [`--${name}`, quoteWord(String(value))];
  const flags = (name: string, values: readonly string[] = []): string[] =>
    values.flatMap((value) => flag(name, value));
  const { exec, apply, with: neighbours, rbac, engine, jobs, env = {}, args = [] } = choice;
  return [
    ...Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)}`),
    "tsop check",
    ...flag("exec", exec),
    ...flags("apply", apply),
    ...flags("with", neighbours),
    ...(rbac ? ["--rbac"] : []),
    ...flag("upgrade-from", older.revision),
    ...flag("upgrade-from-exec", older.exec),
    ...flags("upgrade-from-apply", older.apply),
    ...flag("engine", engine),
    ...flag("jobs", jobs),
    ...flag("replay", file),
    ...(args.length > 0 ? ["--", ...args.map(quoteWord)] : []),
  ].join(" ");
}

/** Formats the call of `checkOperator` that repeats the run of a file. */
export function formatCall(file: string, choice: RunChoice): string {
  const options = Object.entries({ ...choice, replay: file }).filter(([, value]) => isChosen(value));
  const fields = options.map(([name, value]) => `${name}: ${literal(value)}`);
  const line = `checkOperator({ ${fields.join(", ")} })`;
  if (fields.length === 1 || line.length <= 80) return line;
  return `checkOperator({\n${fields.map((field) => `      ${field},\n`).join("")}    })`;
}

/** Reports whether an option is more than its default. */
function isChosen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value !== undefined && value !== false;
  return Object.values(value).some((each) => each !== undefined);
}

/** Formats a value as it is written in a program. */
function literal(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{ ${fields.map(([name, each]) => `${keyOf(name)}: ${literal(each)}`).join(", ")} }`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
