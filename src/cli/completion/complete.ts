import type { Command, Option } from "commander";

export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/**
 * Returns the candidates for the last of `words` (the words after `tsop`; the last one is incomplete or empty). If
 * there are none, the shell offers files.
 */
export function complete(program: Command, words: readonly string[]): Candidate[] {
  const partial = words.at(-1) ?? "";
  const before = words.slice(0, -1).filter((word) => word !== "="); // bash splits at = signs
  let command = program;
  for (const word of before) command = visibleCommands(command).find((child) => child.name() === word) ?? command;
  const previous = before.at(-1) ?? "";
  const valued = command.options.find(
    ({ long, short, required, optional }) => [long, short].includes(previous) && (required || optional),
  );
  return candidates(command, valued, partial === "=" ? "" : partial);
}

function candidates(command: Command, valued: Option | undefined, partial: string): Candidate[] {
  const matching = (list: Candidate[]): Candidate[] => list.filter(({ word }) => word.startsWith(partial));
  const choices = (words: readonly string[] | undefined): Candidate[] =>
    (words ?? []).map((word) => ({ word, description: "" }));
  if (valued) return matching(choices(valued.argChoices));
  if (partial.startsWith("-")) return matching(optionsOf(command));
  const commands = visibleCommands(command).map((child) => ({ word: child.name(), description: child.description() }));
  const values = command.registeredArguments.flatMap((argument) => choices(argument.argChoices));
  return matching([...commands, ...values]);
}

function visibleCommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

function optionsOf(command: Command): Candidate[] {
  const options = command.createHelp().visibleOptions(command);
  return options.flatMap(({ long, description }) => (long ? { word: long, description } : []));
}
