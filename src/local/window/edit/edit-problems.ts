import { isApiError } from "../../../apimachinery/status.ts";
import { messageOf } from "../../../errors/message-of.ts";
import type { EditProblem } from "../contract.ts";
import { lineOfField } from "./line-of-field.ts";

/** Returns the problems of a text, each with its line. */
export function editProblems(error: unknown, text: string): EditProblem[] {
  if (!isApiError(error)) return [{ message: messageOf(error), line: 0 }];
  const { message = "", details } = error.status;
  const causes = (details?.causes ?? []).filter(({ field }) => field);
  if (causes.length > 0)
    return causes.map(({ field = "", message: why = "" }) => ({
      message: `${field}: ${why}`,
      line: lineOfField(text, field),
    }));
  // The server names the fields that it does not know only in its message.
  const unknown = [...message.matchAll(/(?:unknown|duplicate) field "([^"]+)"|\.(\S+): field not declared in schema/g)];
  if (unknown.length > 0)
    return unknown.map(([problem, field, path]) => ({
      message: problem,
      line: lineOfField(text, field ?? path ?? ""),
    }));
  return [{ message, line: 0 }];
}
