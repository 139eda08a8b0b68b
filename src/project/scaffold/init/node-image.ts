/** Node in a project's image, dev container and workflows: a version with long-term support. */
export const nodeVersion = 24;

/** The image with nothing but Node that images of operators are based on. */
export const nodeImage: string = `gcr.io/distroless/nodejs${nodeVersion}-debian13:nonroot`;
