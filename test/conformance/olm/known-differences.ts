interface Shown {
  readonly kind: string;
  readonly name: string;
  readonly [part: string]: any;
}

/** What of the recorded states the simulation does not show, and why. Both sides are compared without it. */
const knownDifferences: readonly {
  readonly reason: string;
  readonly drop: (all: readonly Shown[]) => Shown[];
}[] = [
  {
    reason:
      "the garbage collector of a real server learns of new kinds every 30 s; until then, it deletes no dependents",
    drop(all) {
      const csvs = all.filter(({ kind }) => kind === "ClusterServiceVersion").map(({ name }) => name);
      const isKept = (kind: string, name: string): boolean =>
        !/^(OperatorCondition|Role|RoleBinding)$/.test(kind) ||
        !/\.v\d/.test(name) ||
        csvs.some((csv) => name.startsWith(csv));
      return all.filter(({ kind, name }) => isKept(kind, name));
    },
  },
  {
    reason: "a real OLM installs again if it misses a service account while the replaced CSV goes",
    drop: (all) =>
      all.map((each) => {
        const phases = each["phases"] as string[] | undefined;
        const from = phases?.findIndex((text) => text.startsWith("Failed | RequirementsNotMet")) ?? -1;
        if (!phases || from < 0 || !phases.at(-1)?.startsWith("Succeeded")) return each;
        // If it finds the account before it installs again, it is content, and keeps the requirements of the failure.
        const isOutdated = phases.at(-2)!.startsWith("Failed | RequirementsNotMet");
        const requirements = isOutdated ? each["requirements"]?.map(asFoundAgain) : each["requirements"];
        return { ...each, phases: phases.slice(0, from), requirements };
      }),
  },
  {
    reason: "a real OLM does not always look again at a service account that was created after the CSV",
    drop: (all) =>
      all.map((each) => {
        const isPending = each["phases"]?.at(-1)?.startsWith("Pending");
        if (each.kind !== "ClusterServiceVersion" || !isPending) return each;
        return { ...each, requirements: withoutAccounts(each) };
      }),
  },
  {
    reason: "whether a CSV is looked at before the InstallPlan has created all that it requires is a matter of time",
    drop: (all) =>
      all.map((each) => {
        const phases = each["phases"] as string[] | undefined;
        if (!phases?.some((text) => text.startsWith("InstallReady"))) return each;
        return { ...each, phases: phases.filter((text) => !text.startsWith("Pending | RequirementsNotMet")) };
      }),
  },
  {
    reason: "the simulation resolves one Subscription at a time: it does not fail the others of the namespace",
    drop: (all) =>
      all.map((each) =>
        each.kind === "Subscription"
          ? { ...each, phases: each["phases"].filter((text: string) => !text.startsWith("ResolutionFailed")) }
          : each,
      ),
  },
  {
    reason: "what can never succeed is tried again and again; how often, and in which phase it is, is a matter of time",
    drop: (all) =>
      all.map((each) => {
        const phases = (each.kind === "ClusterServiceVersion" ? each["phases"] : []) as string[];
        const failed = phases.find((text) => text.startsWith("Failed | InvalidWebhookDescription"));
        if (failed !== undefined) return { ...each, phases: [failed], requirements: undefined };
        if (phases.filter((text) => text === "Pending | NeedsReinstall").length < 2) return each;
        const again = phases.filter((text) => /NeedsReinstall|AllRequirementsMet|Installing/.test(text));
        return { ...each, phases: [...new Set(again)].toSorted(), requirements: withoutAccounts(each) };
      }),
  },
  {
    reason: "a real InstallPlan whose status was changed meanwhile runs once more, and finds what it has created",
    drop: (all) =>
      all.map((each) => {
        const steps = each["steps"] as string[] | undefined;
        const isRepeated = steps?.every((text) => text.endsWith(" Present"));
        return isRepeated ? { ...each, steps: steps?.map((text) => text.replace(/Present$/, "Created")) } : each;
      }),
  },
];

/** Returns the requirement of a service account as it is once its rules are found. */
function asFoundAgain(requirement: string): string {
  return requirement.replace(/^(ServiceAccount \S+) PresentNotSatisfied .*/, "$1 Present Satisfied");
}

function withoutAccounts(csv: Shown): string[] | undefined {
  return csv["requirements"]?.filter((requirement: string) => !requirement.startsWith("ServiceAccount "));
}

/** Leaves out the phases InstallWaiting of a CSV: OLM reads a deployment's progress at any moment. */
export function isObserved(text: string): boolean {
  return !text.includes("InstallWaiting");
}

/** Returns the steps of a scenario without the known differences. */
export function comparable(steps: Readonly<Record<string, unknown>>): unknown {
  const shown = Object.entries(steps).map(([step, seen]) => [
    step,
    typeof seen === "string"
      ? errorWithoutWords(seen)
      : inOrder(knownDifferences.reduce((all, { drop }) => drop(all), seen as Shown[])),
  ]);
  // Hashes differ in length, and so does what is left of the name before them.
  return JSON.parse(
    JSON.stringify(Object.fromEntries(shown)).replace(/-thing-mana\w*-<hash>/g, "-thing-manager-<hash>"),
  );
}

/** Returns what failed, and the phase or the reason; any of those that come again and again is the same. */
function errorWithoutWords(error: string): string {
  const [start = ""] = /^[^:]*(: [^:;]*)?/.exec(error) ?? [];
  return start.replace(/failed: (InstallReady|Installing)$/, "failed: Pending");
}

/** Names of InstallPlans are random, and so is their order. */
function inOrder(all: readonly Shown[]): Shown[] {
  const text = ({ kind, name, steps }: Shown): string => JSON.stringify([kind, name, steps]);
  return all.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}
