import { clientAuth, serverAuth, type KeyUsage } from "../../apimachinery/certificates/sign-certificate.ts";

/** The usages of a key, by the names that a Certificate gives them. */
const keyUsages: Readonly<Record<string, KeyUsage>> = {
  signing: "digitalSignature",
  "digital signature": "digitalSignature",
  "content commitment": "nonRepudiation",
  "key encipherment": "keyEncipherment",
  "key agreement": "keyAgreement",
  "data encipherment": "dataEncipherment",
  "cert sign": "keyCertSign",
  "crl sign": "cRLSign",
  "encipher only": "encipherOnly",
  "decipher only": "decipherOnly",
};

/** The purposes of a certificate, as object identifiers. */
const extendedUsages: Readonly<Record<string, string>> = {
  any: "2.5.29.37.0",
  "server auth": serverAuth,
  "client auth": clientAuth,
  "code signing": "1.3.6.1.5.5.7.3.3",
  "email protection": "1.3.6.1.5.5.7.3.4",
  "s/mime": "1.3.6.1.5.5.7.3.4",
  "ipsec end system": "1.3.6.1.5.5.7.3.5",
  "ipsec tunnel": "1.3.6.1.5.5.7.3.6",
  "ipsec user": "1.3.6.1.5.5.7.3.7",
  timestamping: "1.3.6.1.5.5.7.3.8",
  "ocsp signing": "1.3.6.1.5.5.7.3.9",
  "microsoft sgc": "1.3.6.1.4.1.311.10.3.3",
  "netscape sgc": "2.16.840.1.113730.4.1",
};

export const knownUsages: readonly string[] = [...Object.keys(keyUsages), ...Object.keys(extendedUsages)];

const usualUsages = ["digital signature", "key encipherment"];

/** Returns the usages of a Certificate. An authority may always sign certificates. */
export function usagesOf({ usages = usualUsages, isCA = false }: { usages?: readonly string[]; isCA?: boolean }): {
  keyUsages: KeyUsage[];
  extendedUsages: string[];
} {
  const named = isCA ? [...usages, "cert sign"] : usages;
  const found = <Value>(table: Readonly<Record<string, Value>>): Value[] => [
    ...new Set(named.flatMap((usage) => table[usage] ?? [])),
  ];
  return { keyUsages: found(keyUsages), extendedUsages: found(extendedUsages) };
}
