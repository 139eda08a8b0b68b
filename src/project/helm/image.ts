/** The parts of `registry:5000/team/operator:v1@sha256:…`. Absent ones are empty. */
export interface Image {
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
}

/** Parses the name of an image. A colon before a slash belongs to the registry. */
export function parseImage(image: string): Image {
  const [, repository = "", tag = "", digest = ""] = /^([^@]*?)(?::([^:/@]+))?(?:@(.+))?$/.exec(image) ?? [];
  return { repository, tag, digest };
}
