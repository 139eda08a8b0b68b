/**
 * The tests of foreign suites that pass only on the real server, by suite and name, with the reason why that stays so.
 * A test fails if one is missing here, or if one no longer applies.
 */
export const acceptedDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
