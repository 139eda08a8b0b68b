import askConfirm from "@inquirer/confirm";
import askInput from "@inquirer/input";
import { visibleControls } from "../../apimachinery/visible-controls.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Question, TextQuestion } from "../io.ts";

/** Asks a yes-or-no question on the terminal. */
export async function confirm(question: Question & { readonly initial: boolean }): Promise<boolean> {
  const { message, initial } = question;
  return translateRejection(question, askConfirm({ message: visibleControls(message), default: initial }));
}

/** Asks for a text on the terminal, until it is valid. */
export async function input(question: TextQuestion): Promise<string> {
  const { message, initial, check } = question;
  const validate = (answer: string): true | string => {
    const rule = check?.(answer);
    return rule === undefined ? true : `Not valid: ${rule}`;
  };
  const asked = { message: visibleControls(message), validate, ...(initial === undefined ? {} : { default: initial }) };
  return translateRejection(question, askInput(asked));
}

/**
 * Translates the rejection of a prompt: Ctrl-C is an interruption, the end of the input (Ctrl-D) is a missing answer.
 */
async function translateRejection<T>(question: Question, answer: Promise<T>): Promise<T> {
  return answer.catch((cause: unknown) => {
    // The library distinguishes the two by the message alone.
    if (cause instanceof Error && cause.message.endsWith("SIGINT"))
      throw new TsopError("TSOP_INTERRUPTED", {}, { cause });
    throw new TsopError("TSOP_NO_ANSWER", { question: question.message, flag: question.flag }, { cause });
  });
}
