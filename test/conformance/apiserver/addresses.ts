import { merge, type RequestStep } from "./scenario.ts";
import { refusal } from "./steps.ts";
import { PATCH } from "./requests.ts";

export const addresses: readonly string[] = [
  "10.0.0.3",
  "010.0.0.3",
  "10.0.00.3",
  "::ffff:10.0.0.3",
  "::FFFF:0a00:0003",
  "::ffff:010.0.0.3",
  "2001:db8::1",
  "2001:DB8::1",
  "2001:db8:0:0::1",
  "fe80::1%eth0",
  "10.0.3",
  " 10.0.0.3",
  "",
];
export const ranges: readonly string[] = [
  "10.0.0.0/8",
  "10.1.2.3/8",
  "010.0.0.0/8",
  "10.0.0.0/08",
  "010.1.0.0/08",
  "::ffff:10.0.0.0/104",
  "::ffff:10.1.2.3/104",
  "2001:db8::/64",
  "2001:DB8::/64",
  "2001:db8::1/64",
  "2001:DB8::1/64",
  "2001:db8::/064",
  "10.0.0.0/33",
  "10.0.0.0/+8",
  "10.0.0.0",
  " 10.0.0.0/8 ",
  "",
];

/** Addresses that lead nowhere. */
export const special: readonly string[] = ["127.0.0.1", "127.0.0.01", "FE80::1", "0::0", "::ffff:127.0.0.1"];

export const change = (path: string, body: object): RequestStep =>
  PATCH(`${path}?dryRun=All`, merge, body, { pick: refusal });
