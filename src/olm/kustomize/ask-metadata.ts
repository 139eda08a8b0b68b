import type { ClusterServiceVersion, CsvSpec } from "../csv/csv.ts";

/** Asks a question; the answer can be empty. */
export type Ask = (message: string) => Promise<string>;

/**
 * Asks for the metadata that no manifest contains, and adds the answers to the CSV. An empty answer changes nothing.
 */
export async function askMetadata(csv: ClusterServiceVersion, ask: Ask): Promise<ClusterServiceVersion> {
  const answers: CsvSpec = {};
  for (const { message, required, read } of questions) {
    const answer = await askUntilRead(message, required, { ask, read });
    if (answer) Object.assign(answers, answer);
  }
  const { providerName, providerUrl, ...fields } = answers;
  const provider = providerName
    ? { provider: { name: providerName, ...(providerUrl ? { url: providerUrl } : {}) } }
    : {};
  return { ...csv, spec: { ...csv.spec, ...fields, ...provider } as CsvSpec };
}

interface Question {
  readonly message: string;
  readonly required: boolean;
  /** Parses the answer; returns `undefined` if it is invalid. */
  readonly read: (answer: string) => Readonly<Record<string, unknown>> | undefined;
}

const questions: readonly Question[] = [
  { message: "Display name of the operator:", required: true, read: (displayName) => ({ displayName }) },
  { message: "Description of the operator:", required: true, read: (description) => ({ description }) },
  { message: "Name of the operator's provider:", required: true, read: (providerName) => ({ providerName }) },
  { message: "URL of the provider (optional):", required: false, read: (providerUrl) => ({ providerUrl }) },
  { message: "Keywords, separated by commas:", required: true, read: (text) => ({ keywords: items(text) }) },
  { message: "Maintainers as name:email, separated by commas:", required: true, read: readMaintainers },
];

async function askUntilRead(
  message: string,
  required: boolean,
  { ask, read }: { ask: Ask; read: Question["read"] },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (;;) {
    const answer = unquote(await ask(message));
    if (answer === "" && !required) return undefined;
    const understood = answer === "" ? undefined : read(answer);
    if (understood) return understood;
  }
}

function readMaintainers(text: string): { maintainers: { name: string; email: string }[] } | undefined {
  const pairs = items(text).map((item) => item.split(":").map((part) => part.trim()));
  if (!pairs.every((pair) => pair.length === 2 && pair.every(Boolean))) return undefined;
  return { maintainers: pairs.map(([name = "", email = ""]) => ({ name, email })) };
}

function items(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

function unquote(text: string): string {
  return text
    .trim()
    .replace(/^["'`]+|["'`]+$/g, "")
    .trim();
}
