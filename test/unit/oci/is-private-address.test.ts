import { expect, it } from "vitest";
import { isPrivateAddress } from "../../../src/oci/registry/http-exchange.ts";

const privateOnes =
  "127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1";
const ofIpv6 = "::1 :: fd00::1 fe80::1 fe80::1%eth0 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe";

it.each([...privateOnes.split(" "), ...ofIpv6.split(" ")])("%s is private", (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

it.each(["1.1.1.1", "172.32.0.1", "192.169.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:1.1.1.1", ""])(
  "%j is not private",
  (address) => expect(isPrivateAddress(address)).toBe(false),
);
