import type { JSX } from "preact";
import { setParams } from "../state/address.ts";

export interface ChoiceProps {
  readonly label: string;
  /** The parameter of the address that holds the choice. */
  readonly name: string;
  readonly value: string;
  readonly options: readonly string[];
}

/** Chooses one of some values, or all. */
export function Choice({ label, name, value, options }: ChoiceProps): JSX.Element {
  const all = options.includes(value) || value === "" ? options : [value, ...options];
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => setParams({ [name]: event.currentTarget.value }, true)}
    >
      <option value="">{label}: all</option>
      {all.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}

/** A text that filters; its value is a parameter of the address. */
export function FilterText({ label, name, value }: Omit<ChoiceProps, "options">): JSX.Element {
  return (
    <input
      type="search"
      id={`filter-${name}`}
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={(event) => setParams({ [name]: event.currentTarget.value }, true)}
    />
  );
}

/** A switch; `on` is its value in the address. */
export function Toggle({ label, name, value }: Omit<ChoiceProps, "options">): JSX.Element {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={value === "on"}
        onChange={(event) => setParams({ [name]: event.currentTarget.checked ? "on" : "" }, true)}
      />
      {label}
    </label>
  );
}

interface CountProps {
  readonly shown: number;
  readonly what: string;
  /** The older ones that were dropped to bound the memory. */
  readonly dropped: number;
}

/** The number of lines that pass the filters. */
export function Count({ shown, what, dropped }: CountProps): JSX.Element {
  return (
    <span class="count" role="status">
      {shown} {what}
      {dropped > 0 && `, ${dropped} older ones dropped`}
    </span>
  );
}
