// The part of ASN.1's DER encoding that a certificate needs.

/** Encodes an element: tag, length, content. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export function sequence(...items: readonly Uint8Array[]): Buffer {
  return element(0x30, ...items);
}

export function set(...items: readonly Uint8Array[]): Buffer {
  return element(0x31, ...items);
}

/** Encodes a non-negative integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes[0] ?? 0;
  return element(0x02, first & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function boolean(value: boolean): Buffer {
  return element(0x01, Buffer.from([value ? 0xff : 0]));
}

export function nothing(): Buffer {
  return element(0x05);
}

export function utf8(text: string): Buffer {
  return element(0x0c, Buffer.from(text));
}

export function octets(content: Uint8Array): Buffer {
  return element(0x04, content);
}

/** Encodes a bit string; `unused` bits of the last byte are padding. */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return element(0x03, Buffer.from([unused]), content);
}

/** Wraps an element in an explicit `[number]` tag. */
export function tagged(number: number, content: Uint8Array): Buffer {
  return element(0xa0 | number, content);
}

/** Encodes a time: a UTCTime, which can represent years up to 2049, or a GeneralizedTime. */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050 ? element(0x17, Buffer.from(text.slice(2))) : element(0x18, Buffer.from(text));
}

/** Encodes an object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
