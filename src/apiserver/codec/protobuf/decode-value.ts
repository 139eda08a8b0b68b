import { ProtobufError, readWire, type WireField } from "./wire-reader.ts";

const text = new TextDecoder();

/** Types whose JSON is not an object of their fields. `undefined` means that the value is absent, as a time of no fields. */
export const specialTypes: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  s: (bytes) => text.decode(bytes),
  B: base64,
  Time: (bytes) => time(bytes, 0),
  MicroTime: (bytes) => time(bytes, 6),
  Duration: (bytes) => goDuration(numberIn(bytes, 1)),
  Quantity: (bytes) => textIn(bytes, 1),
  IntOrString: (bytes) => (numberIn(bytes, 1) === 1 ? textIn(bytes, 3) : numberIn(bytes, 2)),
  Raw: (bytes) => rawJson(bytesIn(bytes, 1)),
  Texts: (bytes) => fieldsIn(bytes, 1).map(({ value }) => text.decode(asBytes(value))),
};

/** Numbers and booleans; zero is a value only where it was set on purpose. */
export function decodeScalar(type: string, { value, float }: WireField): number | boolean {
  if (typeof value !== "number") throw new ProtobufError("wrong wireType = 2 for a number");
  if (type === "b") return value !== 0;
  return type === "d" ? (float ?? value) : value;
}

/** The bytes of a field that is a text, a message, or one of the special types. */
export function asBytes(value: number | Uint8Array): Uint8Array {
  if (typeof value === "number") throw new ProtobufError("wrong wireType = 0 for a message");
  return value;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function fieldsIn(bytes: Uint8Array, number: number): WireField[] {
  return [...readWire(bytes)].filter((field) => field.number === number);
}

function numberIn(bytes: Uint8Array, number: number): number {
  const value = fieldsIn(bytes, number).at(-1)?.value ?? 0;
  return typeof value === "number" ? value : 0;
}

function bytesIn(bytes: Uint8Array, number: number): Uint8Array {
  const value = fieldsIn(bytes, number).at(-1)?.value;
  return value === undefined ? new Uint8Array() : asBytes(value);
}

function textIn(bytes: Uint8Array, number: number): string {
  return text.decode(bytesIn(bytes, number));
}

function rawJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(text.decode(bytes));
  } catch (error) {
    throw new ProtobufError("embedded JSON can't be read", { cause: error });
  }
}

function time(bytes: Uint8Array, digits: 0 | 6): string | undefined {
  if (bytes.length === 0) return undefined;
  const seconds = numberIn(bytes, 1);
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) throw new ProtobufError(`time out of range: ${seconds} seconds`);
  const whole = at.toISOString().slice(0, -".000Z".length);
  const micros = String(Math.trunc(numberIn(bytes, 2) / 1000)).padStart(6, "0");
  return digits === 0 ? `${whole}Z` : `${whole}.${micros}Z`;
}

/** `1h30m0s`, as Go writes durations. */
function goDuration(nanoseconds: number): string {
  const sign = nanoseconds < 0 ? "-" : "";
  const total = Math.abs(nanoseconds);
  if (total === 0) return "0s";
  if (total < 1e9) {
    const [size, unit] = total < 1e3 ? [1, "ns"] : total < 1e6 ? [1e3, "µs"] : [1e6, "ms"];
    return `${sign}${total / size}${unit}`;
  }
  const [hours, minutes] = [Math.floor(total / 3.6e12), Math.floor(total / 6e10) % 60];
  const seconds = `${(total % 6e10) / 1e9}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}
