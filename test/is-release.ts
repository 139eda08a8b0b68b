/**
 * True in `npm run test:all`, which a release runs. Other runs leave out what repeats, on more variants or on another
 * server, what a test already shows.
 */
export const isRelease: boolean = process.env["TSOP_RELEASE"] !== undefined;
