import { durationToMs } from "../../apimachinery/duration.ts";
import type { CertificateSpec } from "./cert-manager-kinds.ts";

const usualDuration = "2160h";

/** Returns the time for which a certificate is valid, in milliseconds. */
export function lifetimeOf({ duration = usualDuration }: CertificateSpec): number {
  return durationToMs(duration);
}

/** Returns when a certificate is renewed: after two thirds of its lifetime, unless the spec says otherwise. */
export function renewalTimeOf(
  { renewBefore, renewBeforePercentage }: CertificateSpec,
  { notBefore, notAfter }: { readonly notBefore: number; readonly notAfter: number },
): number {
  const lifetime = notAfter - notBefore;
  const wanted =
    renewBefore !== undefined
      ? durationToMs(renewBefore)
      : renewBeforePercentage !== undefined
        ? (lifetime * renewBeforePercentage) / 100
        : lifetime / 3;
  const ahead = wanted > 0 && wanted < lifetime ? wanted : lifetime / 3;
  return Math.floor((notAfter - ahead) / 1000) * 1000;
}
