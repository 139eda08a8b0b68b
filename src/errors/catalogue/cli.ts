/** What a person typed. */
export const cliErrors = {
  TSOP_NODE_TOO_OLD: {
    message: "tsop needs Node {needed} or newer, this is {found}",
    hint: "install a newer Node: https://nodejs.org",
  },
  TSOP_NO_ANSWER: {
    message: "no answer to: {question}",
    hint: "answer it, or give {flag}",
  },
  TSOP_INTERRUPTED: { message: "interrupted", hint: "run the command again" },
} as const;
