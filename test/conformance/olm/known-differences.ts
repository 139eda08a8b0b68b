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
      const isComponentKept = (text: string): boolean => {
        const [kind = "", , , name = ""] = text.split(" ");
        return isKept(kind, name);
      };
      return all
        .filter(({ kind, name }) => isKept(kind, name))
        .map((each) =>
          each.kind === "Operator" ? { ...each, components: each["components"].filter(isComponentKept) } : each,
        );
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
    reason:
      "OLM forgets rules of the namespace that it finds in its own roles; whether it finds them is a matter of time",
    drop: (all) =>
      all.map((each) => {
        if (each.kind !== "ClusterServiceVersion") return each;
        const requirements = each["requirements"]?.map((required: Shown) => {
          const has = (scope: string): boolean =>
            required["dependents"]?.some(({ message }: { message: string }) => message.startsWith(scope)) ?? false;
          if (!has("cluster rule")) return required;
          const isForgotten = ({ message, status }: { message: string; status: string }): boolean =>
            message.startsWith("namespaced rule") && status === "Satisfied";
          return { ...required, dependents: required["dependents"].filter((rule: never) => !isForgotten(rule)) };
        });
        return { ...each, requirements };
      }),
  },
  {
    reason: "the conditions of a Subscription in its Operator are those of the Subscription, which is compared itself",
    drop: (all) =>
      all.map((each) => {
        if (each.kind !== "Operator") return each;
        const components = each["components"].map((text: string) =>
          text.startsWith("Subscription ") ? text.replace(/ \S+=.*/, "") : text,
        );
        return { ...each, components };
      }),
  },
  {
    reason: "OLM copies a role into another namespace before or after it has labelled it with its package",
    drop(all) {
      const isAdopted = (label: string): boolean => label.startsWith("operators.coreos.com/");
      const isCopy = (text: string): boolean => text.includes(" {ns}-2 ");
      return all.map((each) => {
        if (each.kind === "Operator")
          return { ...each, components: each["components"].filter((text: string) => !isCopy(text)) };
        if (each["namespace"] === undefined || !each.kind.startsWith("Role")) return each;
        return { ...each, labels: each["labels"].filter((label: string) => !isAdopted(label)) };
      });
    },
  },
  {
    reason: "a real OLM does not always look again at a service account that was created after the CSV",
    drop: (all) =>
      all.map((each) => {
        const isPending = each["phases"]?.at(-1)?.startsWith("Pending");
        if (each.kind !== "ClusterServiceVersion" || !isPending) return each;
        return { ...each, requirements: each["requirements"]?.filter(({ kind }: Shown) => kind !== "ServiceAccount") };
      }),
  },
  {
    reason: "whether a CSV is looked at before the InstallPlan has created all that it requires is a matter of time",
    drop: (all) =>
      all.map((each) => {
        const phases = each["phases"] as string[] | undefined;
        if (!phases?.some((text) => text.startsWith("InstallReady"))) return each;
        return { ...each, phases: phases.filter((text) => !text.startsWith("Pending | RequirementsNotMet | one")) };
      }),
  },
  {
    reason: "the simulation resolves one Subscription at a time, and so has no explanation of a solver",
    drop: (all) =>
      all.map((each) =>
        each.kind === "Subscription"
          ? { ...each, phases: each["phases"].filter((text: string) => !text.startsWith("ResolutionFailed")) }
          : each,
      ),
  },
  {
    reason: "what can never succeed is tried again and again; how often, and in which phase it is, is a matter of time",
    drop(all) {
      const phasesOf = (each: Shown): string[] => (each.kind === "ClusterServiceVersion" ? each["phases"] : []);
      const isEndless = (each: Shown): boolean =>
        phasesOf(each).filter((text) => text.startsWith("Pending | NeedsReinstall")).length > 1;
      const failureOf = (each: Shown): string | undefined =>
        phasesOf(each).find((text) => text.startsWith("Failed | InvalidWebhookDescription"));
      const hasEndless = all.some(isEndless);
      const isRetried = hasEndless || all.some((each) => failureOf(each) !== undefined);
      const withoutPhase = (text: string): string =>
        text.startsWith("ClusterServiceVersion ")
          ? text.replace(/ (Failed|Pending|InstallReady|Installing)=True$/, "")
          : text;
      const isAdopted = (label: string): boolean => label.startsWith("operators.coreos.com/");
      const labels = (each: Shown): string[] => each["labels"].filter((label: string) => !isAdopted(label));
      return all.map((each) => {
        const failed = failureOf(each);
        if (failed !== undefined) return { ...each, phases: [failed], requirements: undefined };
        if (each.kind === "Operator" && isRetried) {
          const lasting = each["components"].filter((text: string) => !(hasEndless && text.startsWith("Deployment ")));
          return { ...each, components: lasting.map(withoutPhase) };
        }
        if (each.kind === "Deployment" && hasEndless) return { ...each, labels: labels(each) };
        const again = phasesOf(each).filter((text) => /NeedsReinstall|AllRequirementsMet|Installing/.test(text));
        const phases = [...new Set(again)].toSorted();
        // As above: its last phase is Pending in one run, and another in the next.
        const requirements = each["requirements"]?.filter(({ kind }: Shown) => kind !== "ServiceAccount");
        return isEndless(each) ? { ...each, phases, requirements } : each;
      });
    },
  },
  {
    reason: "a real OLM installs again when anything of the cluster changes; how often it fails is a matter of time",
    drop: (all) =>
      all.map((each) => {
        const phases = each["phases"] as string[] | undefined;
        const failed = phases?.findIndex((text) => text.startsWith("Failed | InstallComponentFailedNoRetry")) ?? -1;
        const failsAgain = failed >= 0 && phases?.at(-1) === phases?.[failed];
        return failsAgain ? { ...each, phases: phases?.slice(0, failed + 1) } : each;
      }),
  },
  {
    reason: "OLM keeps the conditions of a Subscription in no order",
    drop: (all) =>
      all.map((each) => (each.kind === "Subscription" ? { ...each, phases: each["phases"].toSorted() } : each)),
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
function asFoundAgain(required: Shown): Shown {
  if (required.kind !== "ServiceAccount" || required["status"] !== "PresentNotSatisfied") return required;
  const dependents = required["dependents"]?.map((rule: object) => ({ ...rule, status: "Satisfied" }));
  return { ...required, status: "Present", message: "", dependents };
}

/** Leaves out the phases InstallWaiting of a CSV: OLM reads a deployment's progress at any moment. */
export function isObserved(text: string): boolean {
  return !text.includes("InstallWaiting");
}

/** Returns the steps of a scenario without the known differences. */
export function comparable(steps: Readonly<Record<string, unknown>>): unknown {
  const text = (error: string): string =>
    error
      .replace(/\n {2}(ServiceAccount \S+: |\S+ lacks )[^\n]*/g, "")
      .replace(/failed: (Pending: calculated|InstallReady: |Installing: waiting for install)[^\n]*/, "failed: <again>");
  const shown = Object.entries(steps).map(([step, seen]) => [
    step,
    typeof seen === "string"
      ? text(seen)
      : inOrder(knownDifferences.reduce((all, { drop }) => drop(all), seen as Shown[])),
  ]);
  // Hashes differ in length, and so does what is left of the name before them.
  return JSON.parse(
    JSON.stringify(Object.fromEntries(shown)).replace(/-thing-mana\w*-<hash>/g, "-thing-manager-<hash>"),
  );
}

/** Names of InstallPlans are random, and so is their order. */
function inOrder(all: readonly Shown[]): Shown[] {
  const text = ({ kind, name, steps }: Shown): string => JSON.stringify([kind, name, steps]);
  return all.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}
