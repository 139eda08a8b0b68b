import { randomUUID } from "node:crypto";
import type { CustomResourceDefinition } from "../apimachinery/crd/crd-types.ts";
import { callWebhook, type ServiceResolver } from "../apiserver/call-webhook.ts";
import { conversionReview, readConverted } from "../apiserver/crd/webhook-conversion.ts";
import type { CheckOptions } from "./check-options.ts";
import type { Violation } from "./oracles/violation.ts";
import type { Plan } from "./plans/plan.ts";
import { World } from "./world/world.ts";
import { planOf, violationOf } from "./report/describe-loss.ts";
import { checkConversions } from "./conversion/check-conversions.ts";
import type { Convert } from "./conversion/convert-each.ts";
import { acceptedBy } from "./conversion/shrink-loss.ts";
import { versionsOfCrd } from "./conversion/version.ts";

/** The time that a server gives a conversion webhook. */
const timeoutSeconds = 30;

/** The objects of each kind that are drawn. */
const usualCount = 2_000;

export type Report = (plan: Plan, violation: Violation) => void;

/** What a check says that was to convert objects and could not. */
export const notConverted: { readonly plan: Plan; readonly why: string } = {
  plan: { id: "conversion", faultClass: "conversion", description: "", steps: [] },
  why: "no CRD of the operator has two versions and a conversion webhook, or its webhooks are left out",
};

/** Reports whether conversions are among what a check is about, and `alone` if it is about nothing else. */
export function isAboutConversions({ only, plans }: Pick<CheckOptions, "only" | "plans">): boolean | "alone" {
  const wanted = plans?.map(({ faultClass }) => faultClass) ?? only;
  if (!wanted) return true;
  if (!wanted.includes("conversion")) return false;
  return wanted.every((name) => name === "conversion") ? "alone" : true;
}

/** Converts objects by the webhooks that an operator serves, and returns their number. */
export async function checkWebhooks(
  { subject, samples, seed, plans, isProject = false }: CheckOptions,
  isOver: () => boolean,
  report: Report,
): Promise<number> {
  const all = subject.crds as readonly unknown[] as readonly CustomResourceDefinition[];
  const crds = subject.webhooks ? all.filter((crd) => versionsOfCrd(crd).length > 1) : [];
  if (crds.length === 0) return 0;
  const given = plans?.flatMap(({ conversion }) => conversion ?? []);
  const world = new World(subject);
  let objects = 0;
  try {
    await world.open();
    world.startOperator();
    if (!(await world.untilServing())) throw world.unservedError();
    for (const crd of crds) {
      const { group, names } = crd.spec;
      const cases = given?.filter(
        ({ object }) => object.kind === names.kind && object.apiVersion?.startsWith(`${group}/`),
      );
      const { losses, objects: converted } = await checkConversions({
        judging: { versions: versionsOfCrd(crd), convert: convertByWebhook(crd, world), isLenient: !isProject },
        samples,
        seed,
        count: usualCount,
        cases,
        accepts: acceptedBy(world.client),
        isOver,
      });
      objects += converted;
      for (const loss of losses) report(planOf(loss), violationOf(loss, isProject));
    }
    return objects;
  } finally {
    await world.close();
  }
}

function convertByWebhook({ spec }: CustomResourceDefinition, world: World): Convert {
  const config = spec.conversion?.webhook?.clientConfig ?? {};
  const resolveService: ServiceResolver = () => {
    const { url, caBundle } = world.webhooks!;
    return { url, caBundle: Buffer.from(caBundle, "base64").toString("utf8") };
  };
  return async (objects, desiredAPIVersion) => {
    const uid = randomUUID();
    const body = conversionReview(objects, { uid, desiredAPIVersion });
    return readConverted(await callWebhook({ config, timeoutSeconds, body, resolveService }), uid);
  };
}
