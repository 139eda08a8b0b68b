import askConfirm from "@inquirer/confirm";
import askInput from "@inquirer/input";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Question } from "../io.ts";

/** Asks a yes-or-no question on the terminal. */
export async function confirm(question: Question & { readonly initial: boolean }): Promise<boolean> {
  const { message, initial } = question;
  return translateRejection(question, askConfirm({ message, default: initial }));
}

/** Asks for a text on the terminal. */
export async function input(question: Question & { readonly initial?: string }): Promise<string> {
  const { message, initial } = question;
  return translateRejection(question, askInput({ message, ...(initial === undefined ? {} : { default: initial }) }));
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
