import { isObject } from "../../../apimachinery/is-object.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import type { Project, Resource } from "../../project.ts";
import { checkImageName } from "../../value-rules.ts";
import { checkOption } from "./resource-options.ts";

/** A kind that runs one image. Its types and its controller are generated completely. */
export interface DeployImage {
  readonly image: string;
  readonly containerCommand?: string | undefined;
  readonly containerPort?: number | undefined;
  readonly runAsUser?: number | undefined;
}

const pluginKey = "deploy-image.go.kubebuilder.io/v1-alpha";

interface RecordedImage {
  readonly group?: string;
  readonly domain?: string;
  readonly version: string;
  readonly kind: string;
  readonly options: Readonly<Record<string, string>>;
}

/** Returns the values that the templates of `--image` need in addition to the names of the kind. */
export function deployImageContext(image: DeployImage): Record<string, string | boolean> {
  const command = (image.containerCommand ?? "").split(",").filter(Boolean);
  return {
    image: image.image,
    command: command.map((word) => JSON.stringify(word)).join(", "),
    port: image.containerPort === undefined ? "" : String(image.containerPort),
    runAsUser: image.runAsUser === undefined ? "" : String(image.runAsUser),
  };
}

/** Returns the name of the variable that config/manager sets for the operator. */
export function imageVariable(kind: string): string {
  return `${kind.toUpperCase()}_IMAGE`;
}

/** Checks ports and users from the command line. */
export function checkDeployImage({ image, containerPort, runAsUser }: DeployImage): void {
  const refuse = (what: string, value: string | number, rule: string): never => {
    throw new TsopError("TSOP_INVALID_IMAGE_OPTION", { what, value, rule });
  };
  checkOption("--image", image, checkImageName);
  if (
    containerPort !== undefined &&
    !(Number.isInteger(containerPort) && containerPort >= 1 && containerPort <= 65_535)
  ) {
    refuse("--image-container-port", containerPort, "a number from 1 to 65535");
  }
  if (runAsUser !== undefined && !(Number.isInteger(runAsUser) && runAsUser >= 0)) {
    refuse("--run-as-user", runAsUser, "a number that is not negative");
  }
}

/** Records the image in PROJECT as kubebuilder's plugin does. */
export function withDeployImage(project: Project, resource: Resource, image: DeployImage | undefined): Project {
  if (!image) return project;
  const { group, domain, version, kind } = resource;
  const options = Object.entries({ ...image }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const added: RecordedImage = {
    ...(domain ? { domain } : {}),
    ...(group ? { group } : {}),
    kind,
    options: Object.fromEntries(options) as Record<string, string>,
    version,
  };
  const others = recordedImages(project).filter((other) => !isOf(other, resource));
  return { ...project, plugins: { ...project.plugins, [pluginKey]: { resources: [...others, added] } } };
}

/** Removes a kind's image from PROJECT. */
export function withoutDeployImage(project: Project, resource: Resource): Project {
  const { [pluginKey]: _removed, ...plugins } = project.plugins ?? {};
  const left = recordedImages(project).filter((other) => !isOf(other, resource));
  if (left.length === recordedImages(project).length) return project;
  return { ...project, plugins: left.length > 0 ? { ...plugins, [pluginKey]: { resources: left } } : plugins };
}

/** Returns the image of a kind that was created with `--image`. */
export function deployImageOf(project: Project, resource: Resource): DeployImage | undefined {
  const found = recordedImages(project).find((other) => isOf(other, resource));
  return found && { ...found.options, image: found.options["image"] ?? "" };
}

function recordedImages(project: Project): readonly RecordedImage[] {
  const plugin = project.plugins?.[pluginKey] as { resources?: unknown } | null | undefined;
  const resources: readonly unknown[] = Array.isArray(plugin?.resources) ? plugin.resources : [];
  return resources.filter(isRecordedImage);
}

function isRecordedImage(value: unknown): value is RecordedImage {
  const options = isObject(value) ? value["options"] : undefined;
  return isObject(options) && Object.values(options).every((option) => typeof option === "string");
}

function isOf(recorded: RecordedImage, resource: Resource): boolean {
  const { group = "", version, kind } = resource;
  return recorded.kind === kind && recorded.version === version && (recorded.group ?? "") === group;
}
