import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import { annotationKeys } from "../bundle/bundle.ts";

export interface MetadataOptions {
  readonly packageName: string;
  /** Separated by commas. */
  readonly channels: string;
  readonly defaultChannel?: string | undefined;
  /** Labels that name the tool that made the bundle. */
  readonly origin: Readonly<Record<string, string>>;
  readonly hasScorecard: boolean;
  /** Annotations that users added to the bundle. They are kept, and become labels of its image. */
  readonly custom: Readonly<Record<string, string>>;
}

/** Formats `metadata/annotations.yaml`. */
export function formatAnnotations(options: MetadataOptions): string {
  const section = ({ annotations, title }: Section): string => {
    const lines = Object.entries(annotations).map(([key, value]) => emitYaml({ [key]: value }));
    return `  # ${title}\n${lines.join("").replace(/^(?=.)/gm, "  ")}`;
  };
  return `annotations:\n${sections(options, "Annotations").map(section).join("\n")}`;
}

/** Formats `bundle.Dockerfile`. `folder` is the bundle's path from the build context. */
export function formatDockerfile(options: MetadataOptions, folder: string): string {
  const section = ({ annotations, title }: Section): string => {
    const lines = Object.entries(annotations).map(([key, value]) => `LABEL ${quoteLabel(key)}=${quoteLabel(value)}\n`);
    return `# ${title}\n${lines.join("")}`;
  };
  const folders = ["manifests", "metadata", ...(options.hasScorecard ? ["tests/scorecard"] : [])];
  const copies = folders.map((name) => `COPY ${folder}/${name} /${name}/\n`).join("");
  return `FROM scratch\n\n${sections(options, "Labels").map(section).join("\n")}
# Copy files to locations specified by labels.
${copies}`;
}

interface Section {
  readonly title: string;
  readonly annotations: Readonly<Record<string, string>>;
}

function sections(options: MetadataOptions, what: "Annotations" | "Labels"): Section[] {
  const keys = annotationKeys;
  const core = {
    [keys.mediaType]: "registry+v1",
    [keys.manifests]: "manifests/",
    [keys.metadata]: "metadata/",
    [keys.package]: options.packageName,
    [keys.channels]: options.channels,
    ...(options.defaultChannel ? { [keys.defaultChannel]: options.defaultChannel } : {}),
    ...options.origin,
  };
  const testing = { [keys.testMediaType]: "scorecard+v1", [keys.testConfig]: "tests/scorecard/" };
  return [
    { title: `Core bundle ${what.toLowerCase()}.`, annotations: core },
    { title: `Custom ${what.toLowerCase()}.`, annotations: options.custom },
    { title: `${what} for testing.`, annotations: options.hasScorecard ? testing : {} },
  ].filter(({ annotations }) => Object.keys(annotations).length > 0);
}

function quoteLabel(value: string): string {
  return /^[\w./,:+=@-]*$/.test(value) ? value : JSON.stringify(value);
}
