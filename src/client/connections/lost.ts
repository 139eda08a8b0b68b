/** Returns the error of a connection that has ended, like the error of a socket that the server resets. */
export function lost(reason = "the connection was closed", cause?: Error): Error {
  return Object.assign(new Error(reason, { cause }), { code: "ECONNRESET" });
}
