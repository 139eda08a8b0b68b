import { Command } from "commander";
import { bundleBuildCommand } from "./commands/bundle-build.ts";
import { bundleCatalogCommand } from "./commands/bundle-catalog.ts";
import { bundleValidateCommand } from "./commands/bundle-validate.ts";
import { completeCommand, completionCommand } from "./commands/completion.ts";
import { createApiCommand } from "./commands/create-api.ts";
import { generateBundleCommand } from "./commands/generate-bundle.ts";
import { createWebhookCommand } from "./commands/create-webhook.ts";
import { deleteApiCommand, deleteWebhookCommand } from "./commands/delete.ts";
import { editCommand } from "./commands/edit.ts";
import { generateCodeCommand, generateManifestsCommand } from "./commands/generate.ts";
import { generateKustomizeManifestsCommand } from "./commands/generate-kustomize-manifests.ts";
import { initCommand } from "./commands/init.ts";
import { runCommand } from "./commands/run.ts";
import { sandboxCommand } from "./commands/sandbox.ts";
import { scorecardCommand } from "./commands/scorecard.ts";
import { versionCommand } from "./commands/version.ts";
import type { Io } from "./io.ts";

/** A command of the tree: `(io) => Command`, or a group of them. */
type Entry = CommandFactory | Group;
export type CommandFactory = (io: Io) => Command;

interface Group {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly Entry[];
}

/** Every command. What is not built is not listed. */
const commands: readonly Entry[] = [
  initCommand,
  { name: "create", description: "add to a project", commands: [createApiCommand, createWebhookCommand] },
  editCommand,
  {
    name: "delete",
    description: "take back what create has added",
    commands: [deleteApiCommand, deleteWebhookCommand],
  },
  {
    name: "generate",
    description: "write what follows from your code",
    commands: [
      generateManifestsCommand,
      generateCodeCommand,
      generateBundleCommand,
      {
        name: "kustomize",
        description: "write what kustomize needs",
        commands: [generateKustomizeManifestsCommand],
      },
    ],
  },
  {
    name: "bundle",
    description: "work with OLM bundles",
    commands: [bundleValidateCommand, bundleBuildCommand, bundleCatalogCommand],
  },
  scorecardCommand,
  runCommand,
  sandboxCommand,
  completionCommand,
  versionCommand,
];

/** The whole command line. Only commander is loaded here; actions import what they need when they run. */
export function createProgram(io: Io): Command {
  const program = new Command("tsop")
    .description("The Operator SDK for TypeScript: scaffold, generate, run, test and package Kubernetes operators.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // main prints errors, once and in one form
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns,
      getErrHelpWidth: () => io.stderr.columns,
    })
    .helpCommand("help [command]", "show help for a command");
  for (const entry of commands) mount(program, entry, io);
  program.addCommand(completeCommand(io).copyInheritedSettings(program), { hidden: true });
  return program.addHelpText("after", () => lifeCycle);
}

/** commander's addCommand inherits nothing, and without exitOverride an unknown flag would end the process. */
function mount(parent: Command, entry: Entry, io: Io): void {
  if (typeof entry === "function") {
    parent.addCommand(entry(io).copyInheritedSettings(parent));
    return;
  }
  const group = new Command(entry.name).description(entry.description).helpCommand(false).copyInheritedSettings(parent);
  for (const child of entry.commands) mount(group, child, io);
  parent.addCommand(group);
}

const lifeCycle = `
A typical life cycle:
  mkdir memcached-operator && cd memcached-operator
  tsop init --domain example.com                      start a project
  tsop create api --group cache --kind Memcached      add a type and its controller
  tsop generate manifests                             CRDs, RBAC and webhooks from your types
  tsop run --local --apply config/samples             run it on an embedded API server
  make docker-build docker-push deploy IMG=…          put it on a cluster

Run "tsop <command> --help" for flags and examples.
`;
