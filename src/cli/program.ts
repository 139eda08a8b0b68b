import { Command, Help } from "commander";
import { completeCommand } from "./commands/completion.ts";
import { foreignCommand } from "./commands/foreign.ts";
import type { Io } from "./io.ts";

/** A command, or a group of commands. */
type Entry = Leaf | Group;
type CommandFactory = (io: Io) => Command;

interface Leaf {
  readonly name: string;
  readonly load: () => Promise<CommandFactory>;
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly Entry[];
}

/** Every command by its heading, in the order of the help. */
const sections: Readonly<Record<string, readonly Entry[]>> = {
  "Start and change a project:": [
    { name: "init", load: async () => (await import("./commands/init.ts")).initCommand },
    {
      name: "create",
      description: "add to a project",
      commands: [
        { name: "api", load: async () => (await import("./commands/create-api.ts")).createApiCommand },
        { name: "webhook", load: async () => (await import("./commands/create-webhook.ts")).createWebhookCommand },
      ],
    },
    { name: "edit", load: async () => (await import("./commands/edit.ts")).editCommand },
    { name: "update", load: async () => (await import("./commands/update.ts")).updateCommand },
    {
      name: "alpha",
      description: "commands that may change",
      commands: [
        { name: "generate", load: async () => (await import("./commands/alpha-generate.ts")).alphaGenerateCommand },
      ],
    },
    {
      name: "delete",
      description: "remove parts of a project",
      commands: [
        { name: "api", load: async () => (await import("./commands/delete.ts")).deleteApiCommand },
        { name: "webhook", load: async () => (await import("./commands/delete.ts")).deleteWebhookCommand },
      ],
    },
  ],
  "Generate files from the code:": [
    {
      name: "generate",
      description: "generate files from your code",
      commands: [
        { name: "manifests", load: async () => (await import("./commands/generate.ts")).generateManifestsCommand },
        { name: "code", load: async () => (await import("./commands/generate.ts")).generateCodeCommand },
        { name: "docs", load: async () => (await import("./commands/generate.ts")).generateDocsCommand },
        { name: "types", load: async () => (await import("./commands/generate-types.ts")).generateTypesCommand },
        { name: "bundle", load: async () => (await import("./commands/generate-bundle.ts")).generateBundleCommand },
        {
          name: "kustomize",
          description: "generate files for kustomize",
          commands: [
            {
              name: "manifests",
              load: async () =>
                (await import("./commands/generate-kustomize-manifests.ts")).generateKustomizeManifestsCommand,
            },
          ],
        },
      ],
    },
  ],
  "Run and check the operator:": [
    { name: "run", load: async () => (await import("./commands/run.ts")).runCommand },
    { name: "check", load: async () => (await import("./commands/check.ts")).checkCommand },
    { name: "plan", load: async () => (await import("./commands/plan.ts")).planCommand },
    { name: "roles", load: async () => (await import("./commands/roles.ts")).rolesCommand },
    {
      name: "crd",
      description: "compare CRDs, and store objects in one version",
      commands: [
        { name: "diff", load: async () => (await import("./commands/crd.ts")).crdDiffCommand },
        { name: "versions", load: async () => (await import("./commands/crd.ts")).crdVersionsCommand },
      ],
    },
    { name: "sandbox", load: async () => (await import("./commands/sandbox.ts")).sandboxCommand },
    { name: "envtest", load: async () => (await import("./commands/envtest.ts")).envtestCommand },
    { name: "ui", load: async () => (await import("./commands/ui.ts")).uiCommand },
  ],
  "Publish the operator:": [
    {
      name: "image",
      description: "build and verify the operator's image, without a container tool",
      commands: [
        { name: "build", load: async () => (await import("./commands/image.ts")).imageBuildCommand },
        { name: "envtest", load: async () => (await import("./commands/image.ts")).imageEnvtestCommand },
        { name: "verify", load: async () => (await import("./commands/image.ts")).imageVerifyCommand },
      ],
    },
  ],
  "Package for the Operator Lifecycle Manager:": [
    {
      name: "bundle",
      description: "work with OLM bundles",
      commands: [
        { name: "validate", load: async () => (await import("./commands/bundle-validate.ts")).bundleValidateCommand },
        { name: "build", load: async () => (await import("./commands/bundle-build.ts")).bundleBuildCommand },
        { name: "catalog", load: async () => (await import("./commands/bundle-catalog.ts")).bundleCatalogCommand },
      ],
    },
    {
      name: "pkgman-to-bundle",
      load: async () => (await import("./commands/pkgman-to-bundle.ts")).pkgmanToBundleCommand,
    },
    { name: "scorecard", load: async () => (await import("./commands/scorecard.ts")).scorecardCommand },
    {
      name: "olm",
      description: "install, show and remove the Operator Lifecycle Manager on a cluster",
      commands: [
        { name: "install", load: async () => (await import("./commands/olm.ts")).olmInstallCommand },
        { name: "status", load: async () => (await import("./commands/olm.ts")).olmStatusCommand },
        { name: "uninstall", load: async () => (await import("./commands/olm.ts")).olmUninstallCommand },
      ],
    },
    { name: "cleanup", load: async () => (await import("./commands/cleanup.ts")).cleanupCommand },
  ],
  "Help:": [
    { name: "markers", load: async () => (await import("./commands/markers.ts")).markersCommand },
    { name: "completion", load: async () => (await import("./commands/completion.ts")).completionCommand },
    { name: "version", load: async () => (await import("./commands/version.ts")).versionCommand },
  ],
};

/**
 * Creates the command line for some words: the one command that they start with, or all commands for help, completion
 * and suggestions. Loading modules is most of the time of a short command, so actions import their rooms when they run.
 */
export async function createProgram(io: Io, words: readonly string[] = []): Promise<Command> {
  const program = new Command("tsop")
    .description("The Operator SDK for TypeScript: scaffold, generate, run, test and package Kubernetes operators.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // main prints all errors, in one form
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns,
      getErrHelpWidth: () => io.stderr.columns,
    })
    .configureHelp({
      formatHelp: (command, helper) => Help.prototype.formatHelp.call(helper, command, showTree(helper)),
    })
    .option("-v, --version", "print the versions of tsop, Kubernetes and Node") // main replaces it by the command
    .enablePositionalOptions() // `create api --version v1` is not the program's
    .commandsGroup("Help:") // of the help command; all others name theirs
    .helpCommand("help [command...]", "show help for a command");
  const foreign = foreignCommand(words);
  if (foreign) program.addCommand(foreign.copyInheritedSettings(program).helpOption(false), { hidden: true });
  else await mountSections(program, { io, words });
  program.addCommand(completeCommand(io).copyInheritedSettings(program), { hidden: true });
  return program.addHelpText("after", () => lifeCycle);
}

interface Mounting {
  readonly io: Io;
  /** The words after the parent's name. */
  readonly words: readonly string[];
  /** The heading in the help. */
  readonly title?: string;
}

/** Mounts the one command that the words start with; else all, below the headings of their sections in the help. */
async function mountSections(program: Command, mounting: Mounting): Promise<void> {
  const all = Object.values(sections).flat();
  if (all.some(({ name }) => name === mounting.words[0])) return mountAll(program, all, mounting);
  for (const [title, entries] of Object.entries(sections)) await mountAll(program, entries, { ...mounting, title });
}

async function mountAll(parent: Command, entries: readonly Entry[], mounting: Mounting): Promise<void> {
  const [first, ...words] = mounting.words;
  const chosen = entries.filter(({ name }) => name === first);
  for (const entry of chosen.length > 0 ? chosen : entries) await mount(parent, entry, { ...mounting, words });
}

/** commander's addCommand inherits no settings, and without exitOverride an unknown flag would end the process. */
async function mount(parent: Command, entry: Entry, mounting: Mounting): Promise<void> {
  if ("load" in entry) {
    const command = await entry.load();
    const own = command(mounting.io).copyInheritedSettings(parent);
    if (mounting.title) for (const each of [own, ...own.commands]) each.helpGroup(mounting.title);
    for (const each of own.commands) each.copyInheritedSettings(own);
    parent.addCommand(own);
    return;
  }
  const group = new Command(entry.name).description(entry.description).helpCommand(false).copyInheritedSettings(parent);
  if (mounting.title) group.helpGroup(mounting.title);
  await mountAll(group, entry.commands, mounting);
  parent.addCommand(group);
}

/**
 * Makes help list the whole tree, each command with its groups. Suggestions and completion still use the words of one
 * level.
 */
function showTree(helper: Help): Help {
  return Object.assign(helper, { visibleCommands: leavesOf, subcommandTerm: pathAndArguments });
}

function leavesOf(command: Command): Command[] {
  const visible = new Help().visibleCommands(command);
  // A command with arguments does something itself, as `run` does.
  const isLeaf = (each: Command): boolean => each.commands.length === 0 || each.registeredArguments.length > 0;
  return visible.flatMap((each) => [...(isLeaf(each) ? [each] : []), ...leavesOf(each)]);
}

function pathAndArguments(command: Command): string {
  const group = command.parent?.parent ? [pathAndArguments(command.parent).replace(/ \[.*/, "")] : [];
  return [...group, new Help().subcommandTerm(command)].join(" ");
}

const lifeCycle = `
A typical life cycle:
  mkdir memcached-operator && cd memcached-operator
  tsop init --domain example.com                      start a project
  tsop create api --group cache --kind Memcached      add a type and its controller
  tsop generate manifests                             CRDs, RBAC and webhooks from your types
  tsop run --local --apply config/samples             run it on an embedded API server
  make image deploy IMG=…                             deploy it to a cluster

Run "tsop <command> --help" for flags and examples.
`;
