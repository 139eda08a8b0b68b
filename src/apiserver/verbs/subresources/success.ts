import type { Answer } from "../request/call.ts";

/** The answer to a POST that creates no object. */
export const success: Answer = {
  type: "success",
  code: 201,
  body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
};
