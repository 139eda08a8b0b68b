/** The times of a cron schedule. */
export interface CronSchedule {
  /** Returns the first time after `after`, in milliseconds since 1970; undefined if there is none within five years. */
  next(after: number): number | undefined;
}

const names = {
  month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  day: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

const macros = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

const secondMs = 1000;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** More than all minutes, hours, days and months have. */
const longestText = 1_024;

/** An invalid schedule, in the API server's words. */
export class CronError extends Error {}

/** Parses five cron fields, a macro such as `@daily`, or `@every 5m` in a time zone. Throws a CronError. */
export function parseCron(text: string, timeZone = "UTC"): CronSchedule {
  if (text.length > longestText) throw new CronError(`a schedule may have at most ${longestText} characters`);
  if (text.startsWith(every)) return fixedDelay(text);
  const macro = macros.get(text);
  if (text.startsWith("@") && macro === undefined) throw new CronError(`unrecognized descriptor: ${text}`);
  const fields = (macro ?? text).split(/\s+/).filter((field) => field !== "");
  if (fields.length !== 5)
    throw new CronError(`expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`);
  const [minutes, hours, days, months, weekdays] = [
    parseField(fields[0]!, [0, 59]),
    parseField(fields[1]!, [0, 23]),
    parseField(fields[2]!, [1, 31]),
    parseField(fields[3]!, [1, 12], names.month),
    parseField(fields[4]!, [0, 6], names.day),
  ];
  // If both the day of the month and the weekday are restricted, one of them has to match.
  const either = !days.any && !weekdays.any;
  const isDay = (time: LocalTime): boolean => {
    const [day, weekday] = [days.values.has(time.day), weekdays.values.has(time.weekday)];
    return months.values.has(time.month) && (either ? day || weekday : day && weekday);
  };
  const localTime = localClock(timeZone);
  return {
    next(after) {
      const last = after + 5 * 366 * dayMs;
      for (let at = (Math.floor(after / minuteMs) + 1) * minuteMs; at <= last;) {
        const time = localTime(at);
        if (!isDay(time)) at += (60 - time.minute + (23 - time.hour) * 60) * minuteMs;
        else if (!hours.values.has(time.hour)) at += (60 - time.minute) * minuteMs;
        else if (!minutes.values.has(time.minute)) at += minuteMs;
        else return at;
      }
      return undefined;
    },
  };
}

const every = "@every ";

function fixedDelay(text: string): CronSchedule {
  const delay = Math.max(secondMs, Math.floor(durationOf(text) / secondMs) * secondMs);
  return { next: (after) => Math.floor(after / secondMs) * secondMs + delay };
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 1e-3, ns: 1e-6 };

/** Parses Go's notation, such as `1h30m0.5s`. Importing the parser of CEL would load all of CEL. */
function durationOf(text: string): number {
  const duration = text.slice(every.length);
  if (!/^[-+]?((\d+\.?\d*|\.\d+)(h|ms|m|s|us|ns))+$/.test(duration))
    throw new CronError(`failed to parse duration ${text}: time: ${whyNoDuration(duration)}`);
  const parts = duration.matchAll(/([\d.]+)([a-z]+)/g);
  const size = [...parts].reduce((sum, [, count, unit = ""]) => sum + Number(count) * units[unit]!, 0);
  return duration.startsWith("-") ? -size : size;
}

function whyNoDuration(text: string): string {
  const [, unit] = /^[-+]?[\d.]*\d[\d.]*([^\d.]*)/.exec(text) ?? [];
  if (unit === undefined) return `invalid duration ${JSON.stringify(text)}`;
  const what = unit === "" ? "missing unit" : `unknown unit ${JSON.stringify(unit)}`;
  return `${what} in duration ${JSON.stringify(text)}`;
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** True for `*` and `?`, which restrict nothing. */
  readonly any: boolean;
}

type Bounds = readonly [number, number];

/** Parses `*`, `5`, `1-5`, `*\/15`, `mon-fri`, or a list of these. */
function parseField(text: string, bounds: Bounds, words: readonly string[] = []): Field {
  const values = new Set<number>();
  let any = false;
  for (const part of text.split(",").filter((part) => part !== "")) {
    const [from, to, step] = parseRange(part, bounds, words);
    for (let value = from; value <= to; value += step) values.add(value);
    if (isAny(part.split(/[-/]/)[0]!) && step === 1) any = true;
  }
  return { values, any };
}

function parseRange(part: string, [min, max]: Bounds, words: readonly string[]): [number, number, number] {
  const [range = "", stepText, ...slashes] = part.split("/");
  const [low = "", high, ...hyphens] = range.split("-");
  const any = isAny(low);
  const from = any ? min : toNumber(low, min, words);
  if (!any && hyphens.length > 0) throw new CronError(`too many hyphens: ${part}`);
  const till = any ? max : high === undefined ? from : toNumber(high, min, words);
  if (slashes.length > 0) throw new CronError(`too many slashes: ${part}`);
  const step = stepText === undefined ? 1 : toNumber(stepText, 0, []);
  const to = stepText !== undefined && high === undefined ? max : till;
  if (from < min) throw new CronError(`beginning of range (${from}) below minimum (${min}): ${part}`);
  if (to > max) throw new CronError(`end of range (${to}) above maximum (${max}): ${part}`);
  if (from > to) throw new CronError(`beginning of range (${from}) beyond end of range (${to}): ${part}`);
  if (step === 0) throw new CronError(`step of range should be a positive number: ${part}`);
  return [from, to, step];
}

function isAny(text: string): boolean {
  return text === "*" || text === "?";
}

function toNumber(text: string, min: number, words: readonly string[]): number {
  const word = words.indexOf(text.toLowerCase());
  if (word >= 0) return word + min;
  if (/^[-+]?\d+$/.test(text)) return Number(text);
  throw new CronError(
    `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

interface LocalTime {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

function localClock(timeZone: string): (at: number) => LocalTime {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    minute: "numeric",
    hour: "numeric",
    day: "numeric",
    month: "numeric",
    weekday: "short",
  });
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return {
      minute: Number(parts["minute"]),
      hour: Number(parts["hour"]),
      day: Number(parts["day"]),
      month: Number(parts["month"]),
      weekday: names.day.indexOf((parts["weekday"] ?? "").toLowerCase()),
    };
  };
}
