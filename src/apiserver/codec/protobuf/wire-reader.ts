import { mostBodyValues, tooManyValues } from "../json.ts";

/** Bytes that are not a protobuf message of the expected shape. */
export class ProtobufError extends Error {
  override readonly name: string = "ProtobufError";
}

/** A field on the wire: a number for varints and fixed widths, bytes for everything else. */
export interface WireField {
  readonly number: number;
  readonly value: number | Uint8Array;
  /** The 64 bits as a float. */
  readonly float?: number;
}

/** The fields that may still be read of a body. */
export interface FieldBudget {
  left: number;
}

/** Reads the fields of a message. Throws `ProtobufError` if the bytes end too early, and 413 for too many fields. */
export function* readWire(bytes: Uint8Array, budget: FieldBudget = { left: mostBodyValues }): Generator<WireField> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): number => {
    const start = at;
    while (at < bytes.length && at - start < 10 && bytes[at]! >= 0x80) at++;
    if (at >= bytes.length || at - start >= 10) throw new ProtobufError("unexpected EOF");
    return parseVarint(bytes.subarray(start, ++at));
  };
  const take = (length: number): number => {
    const start = at;
    at += length;
    if (length < 0 || at > bytes.length) throw new ProtobufError("unexpected EOF");
    return start;
  };
  while (at < bytes.length) {
    if (--budget.left < 0) throw tooManyValues(mostBodyValues + 1, mostBodyValues);
    const tag = varint();
    const number = Math.floor(tag / 8);
    if (number < 1) throw new ProtobufError(`illegal tag ${number}`);
    switch (tag % 8) {
      case 0:
        yield { number, value: varint() };
        break;
      case 1: {
        const start = take(8);
        yield { number, value: Number(view.getBigInt64(start, true)), float: view.getFloat64(start, true) };
        break;
      }
      case 2: {
        const length = varint();
        const start = take(length);
        yield { number, value: bytes.subarray(start, at) };
        break;
      }
      case 5: {
        const start = take(4);
        yield { number, value: view.getInt32(start, true), float: view.getFloat32(start, true) };
        break;
      }
      default:
        throw new ProtobufError(`wrong wireType = ${tag % 8} for field ${number}`);
    }
  }
}

/** Parses a varint: seven bits per byte, lowest first; negative numbers take 64 bits. */
function parseVarint(bytes: Uint8Array): number {
  if (bytes.length <= 7) {
    let value = 0;
    for (let at = bytes.length - 1; at >= 0; at--) value = value * 128 + (bytes[at]! & 0x7f);
    return value;
  }
  let value = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) value = (value << 7n) | BigInt(bytes[at]! & 0x7f);
  return Number(BigInt.asIntN(64, value));
}
