import { oid, sequence, set, utf8 } from "./der.ts";

const commonNameId = "2.5.4.3";

/** Encodes a name that consists of a common name, or of nothing. */
export function distinguishedName(commonName: string): Buffer {
  return commonName === "" ? sequence() : sequence(set(sequence(oid(commonNameId), utf8(commonName))));
}

/** Returns the subject of a certificate in DER, as its certificates must repeat it byte for byte. */
export function subjectOf(certificate: Buffer): Buffer {
  const body = childrenOf(childrenOf(certificate)[0]!);
  // Before it: version, which the first version omits, serial number, algorithm, issuer and validity.
  const first = body[0]![0] === 0xa0 ? 1 : 0;
  return body[first + 4]!;
}

/** Splits the content of a DER element into its elements. */
function childrenOf(element: Buffer): Buffer[] {
  const content = element.subarray(...contentOf(element, 0));
  const children: Buffer[] = [];
  for (let at = 0; at < content.length;) {
    const [, end] = contentOf(content, at);
    children.push(content.subarray(at, end));
    at = end;
  }
  return children;
}

/** Returns where the content of the element at an offset begins and ends. */
function contentOf(bytes: Buffer, at: number): [begin: number, end: number] {
  const first = bytes[at + 1]!;
  if (first < 0x80) return [at + 2, at + 2 + first];
  const count = first & 0x7f;
  const begin = at + 2 + count;
  return [begin, begin + bytes.readUIntBE(at + 2, count)];
}
