/** The times of a cron schedule. */
export interface CronSchedule {
  /** The first time after `after`, both in milliseconds since 1970; undefined when there is none within five years. */
  next(after: number): number | undefined;
}

const names = {
  month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  day: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

const macros: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Reads five cron fields or a macro such as `@daily`; times are those of the zone. `undefined` when it is none. */
export function parseCron(text: string, timeZone = "UTC"): CronSchedule | undefined {
  const fields = (macros[text.trim()] ?? text).trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minutes, hours, days, months, weekdays] = [
    parseField(fields[0]!, [0, 59]),
    parseField(fields[1]!, [0, 23]),
    parseField(fields[2]!, [1, 31]),
    parseField(fields[3]!, [1, 12], names.month),
    parseField(fields[4]!, [0, 7], names.day),
  ];
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  if (weekdays.has(7)) weekdays.add(0);
  // When both days are restricted, either will do: cron's oldest surprise.
  const either = !fields[2]!.startsWith("*") && !fields[4]!.startsWith("*");
  const isDay = (time: LocalTime): boolean => {
    const [day, weekday] = [days.has(time.day), weekdays.has(time.weekday)];
    return months.has(time.month) && (either ? day || weekday : day && weekday);
  };
  const localTime = localClock(timeZone);
  return {
    next(after) {
      const last = after + 5 * 366 * dayMs;
      for (let at = (Math.floor(after / minuteMs) + 1) * minuteMs; at <= last;) {
        const time = localTime(at);
        if (!isDay(time)) at += (60 - time.minute + (23 - time.hour) * 60) * minuteMs;
        else if (!hours.has(time.hour)) at += (60 - time.minute) * minuteMs;
        else if (!minutes.has(time.minute)) at += minuteMs;
        else return at;
      }
      return undefined;
    },
  };
}

/** `*`, `5`, `1-5`, `*\/15`, `mon-fri`, or a list of these. */
function parseField(
  text: string,
  [min, max]: readonly [number, number],
  words: readonly string[] = [],
): Set<number> | undefined {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^(\*|\?|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part);
    if (!match) return undefined;
    const [, first = "", second, stepText] = match;
    const any = first === "*" || first === "?";
    const from = any ? min : toNumber(first, min, words);
    const to = second === undefined ? (any || stepText ? max : from) : toNumber(second, min, words);
    const step = Number(stepText ?? 1);
    if (Number.isNaN(from) || Number.isNaN(to) || from < min || to > max || from > to || step < 1) return undefined;
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

function toNumber(text: string, min: number, words: readonly string[]): number {
  const word = words.indexOf(text.toLowerCase());
  if (word >= 0) return word + (min === 1 ? 1 : 0);
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
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
