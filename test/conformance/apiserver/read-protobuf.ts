import { decodeProtobuf } from "../../../src/apiserver/codec/protobuf/decode-protobuf.ts";
import { readWire } from "../../../src/apiserver/codec/protobuf/wire-reader.ts";

/** What an answer in protobuf says: an object, the events of a watch, or how many items of what kind. */
export function readProtobuf(type: string, bytes: Uint8Array): unknown {
  return type.endsWith("stream=watch") ? [...frames(bytes)].map(eventIn) : objectIn(bytes);
}

function* frames(bytes: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += 4 + view.getUint32(at))
    yield bytes.subarray(at + 4, at + 4 + view.getUint32(at));
}

function eventIn(frame: Uint8Array): unknown {
  const [type, object] = fieldsOf(frame, 1, 2);
  return { type: textIn(type!), object: objectIn(fieldsOf(object!, 1)[0]!) };
}

function objectIn(bytes: Uint8Array): unknown {
  const [meta, content] = fieldsOf(bytes.subarray(4), 1, 2);
  const kind = textIn(fieldsOf(meta!, 2)[0]!);
  if (!kind.endsWith("List")) return decodeProtobuf(bytes);
  return { kind, fields: [...readWire(content!)].map(({ number }) => number) };
}

function fieldsOf(bytes: Uint8Array, ...numbers: number[]): Uint8Array[] {
  const fields = [...readWire(bytes)];
  return numbers.map((each) => {
    const value = fields.find(({ number }) => number === each)?.value;
    if (!(value instanceof Uint8Array)) throw new Error(`no field ${each}`);
    return value;
  });
}

function textIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
