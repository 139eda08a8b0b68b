/** Returns the part of a type's name for a field: `dnsNames` → `DnsNames`, `$ref-2` → `Ref2`. */
export function pascalCase(key: string): string {
  const words = key.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("") || "Field";
}
