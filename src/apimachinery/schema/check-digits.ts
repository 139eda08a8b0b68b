/** Checks an ISBN of ten digits, the last of which may be X. */
export function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = Array.from(digits).reduce(
    (total, digit, at) => total + (at + 1) * (digit === "X" ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

/** Checks an ISBN of thirteen digits. */
export function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^\d{13}$/.test(digits)) return false;
  return Array.from(digits).reduce((total, digit, at) => total + (at % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}

/** Checks the number of a credit card by its length, its issuer and its check digit. */
export function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]/g, "");
  if (!issuers.test(digits)) return false;
  const doubled = (digit: number): number => (digit > 4 ? digit * 2 - 9 : digit * 2);
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 ? doubled(+digit) : +digit), 0);
  return sum % 10 === 0;
}

const issuers =
  /^(4\d{12}(\d{3})?|5[1-5]\d{14}|2(22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|6(011|5\d\d)\d{12}|3[47]\d{13}|3(0[0-5]|[68]\d)\d{11}|(2131|1800|35\d{3})\d{11}|6[27]\d{14})$/;

function withoutSeparators(text: string): string {
  return text.replaceAll(/[\s-]/g, "");
}
